import { afterAll, beforeAll, expect, test } from 'vitest';
import { testIndexKey } from '../../test/identities.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { listCoupons } from '../offers/coupons/coupons.ts';
import { findAccount } from '../people/accounts/accounts.ts';
import { openIdentityKeys } from '../people/accounts/identity-keys.ts';
import { openPeople } from '../people/real-names/real-names.ts';
import { openSites } from '../publisher/sites/sites.ts';
import { demoPlayers } from './demo-players.ts';
import { seedCoupons } from './seed-coupons.ts';
import { seedPlayers } from './seed-players.ts';
import { seedShop } from './seed-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.closeAll());

test('every demo player has both demo coupons once per currency of a site after repeated seeding', async () => {
  const surroundings = { portalUrl: 'http://localhost:8080', gameUrl: 'http://localhost:1' };
  await shop.db.transaction((tx) => seedShop(tx, { ...surroundings, now: new Date() }));
  await seedPlayers({
    db: shop.db,
    identityKeyOf: openIdentityKeys(testIndexKey),
    people: openPeople({ keys: undefined, indexKey: undefined }),
    identities: {},
  });
  await seedCoupons(shop.db, openSites(shop.db));
  await seedCoupons(shop.db, openSites(shop.db));
  for (const player of demoPlayers) {
    const accountId = await findAccount(shop.db, player);
    if (accountId === undefined) throw new Error('The player is not there.');
    const couponsAt = async (id: string) => {
      const asked = { accountId, siteId: id, kind: 'item', gameId: id } as const; // as: keeps the literal types
      const coupons = await listCoupons(shop.db, asked, 'de-DE');
      return coupons
        .map(({ name, terms, state }) => `${name} ${terms.currency} ${state}`)
        .toSorted();
    };
    expect(await couponsAt('solmere')).toEqual([
      'Danke fürs Mitspielen USD usable',
      'Willkommensgeschenk USD usable',
    ]);
    expect(await couponsAt('lantern-court')).toEqual([
      'Danke fürs Mitspielen CNY usable',
      'Danke fürs Mitspielen USD usable',
      'Willkommensgeschenk CNY usable',
      'Willkommensgeschenk USD usable',
    ]);
  }
});
