import { randomInt } from 'node:crypto';
import { sql } from '../src/platform/db.ts';
import { type Buyer, givenBuyer } from './buying.ts';
import { givenPerson } from './people.ts';
import { eventually, type TestShop } from './shop.ts';

/** Sets the policy pack and currency of the shop's site. */
export async function givenRules(
  { db, sites }: TestShop,
  { pack, currency }: { pack: string; currency: string },
): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update sites set policy_pack = ${pack}, currency = ${currency} where id = 'solmere'`),
  );
  // The shop caches sites for two seconds.
  await eventually(async () => (await sites.byId('solmere'))?.currency === currency);
}

/** A unique identity number. */
export function newIdentityNumber(): string {
  return `110101${randomInt(1e11, 1e12 - 1)}`;
}

/** A buyer of this age throughout the year in Shanghai, with a unique identity by default. */
export async function givenBuyerOfAge(
  shop: TestShop,
  age: number,
  { identityNumber = newIdentityNumber() }: { identityNumber?: string | null } = {},
): Promise<Buyer> {
  const buyer = await givenBuyer(shop);
  const inShanghai = new Date(Date.now() + 8 * 60 * 60_000);
  const birthday = `${inShanghai.getUTCFullYear() - age}-01-01`;
  await givenPerson(shop, buyer.accountId, { birthday, identityNumber });
  return buyer;
}
