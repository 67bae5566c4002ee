import { randomInt } from 'node:crypto';
import { sql } from '../src/platform/db.ts';
import { type Buyer, givenBuyer } from './buying.ts';
import { givenPerson } from './people.ts';
import { eventually, type TestShop } from './shop.ts';

/** The shop's site sells by these rules and in this currency from now on. */
export async function givenRules(
  { db, sites }: TestShop,
  { pack, currency }: { pack: string; currency: string },
): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update sites set policy_pack = ${pack}, currency = ${currency} where id = 'solmere'`),
  );
  // The shop keeps sites for two seconds.
  await eventually(async () => (await sites.byId('solmere'))?.currency === currency);
}

/** A number that nobody else has. */
export function newIdentityNumber(): string {
  return `110101${randomInt(1e11, 1e12 - 1)}`;
}

/** Somebody who has this age all year, as years go in Shanghai, and is nobody else unless told so. */
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
