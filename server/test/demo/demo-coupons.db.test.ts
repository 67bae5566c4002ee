import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedCoupons } from '../../src/documents/seed/seed-coupons.ts';
import { seedPlayers } from '../../src/documents/seed/seed-players.ts';
import { seedShop } from '../../src/documents/seed/seed-shop.ts';
import { listCoupons } from '../../src/offers/coupons/coupons.ts';
import { findAccount } from '../../src/people/accounts/accounts.ts';
import { openIdentityKeys } from '../../src/people/accounts/identity-keys.ts';
import { openPeople } from '../../src/people/real-names/real-names.ts';
import { openSites } from '../../src/publisher/sites/sites.ts';
import { openDemo } from '../demo.ts';
import { testIndexKey } from '../identities.ts';
import { openTestShop, type TestShop } from '../shop.ts';

let shop: TestShop;
const demo = openDemo();
const demoPlayers = demo.demo.players;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.closeAll());

test('each demo player has two demo coupons per currency of a site, even after repeated seeding', async () => {
  const surroundings = { portalUrl: 'http://localhost:8080', gameUrl: 'http://localhost:1' };
  await shop.db.transaction((tx) => seedShop(tx, demo.shop, surroundings));
  const seeding = {
    db: shop.db,
    identityKeyOf: openIdentityKeys(testIndexKey),
    people: openPeople({ keys: undefined, indexKey: undefined }),
    identities: {},
  };
  await seedPlayers(seeding, demoPlayers);
  for (let time = 0; time < 2; time += 1) {
    await seedCoupons({ db: shop.db, sites: openSites(shop.db) }, demo.shop, demoPlayers);
  }
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
