import { afterAll, beforeAll, expect, test } from 'vitest';
import { testIndexKey } from '../../test/identities.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { findAccount } from '../accounts/accounts.ts';
import { openIdentityKeys } from '../accounts/identity-keys.ts';
import { listCoupons } from '../coupons/coupons.ts';
import { openPeople } from '../people/people.ts';
import { openSites } from '../sites/sites.ts';
import { demoPlayers } from './demo-players.ts';
import { seedCoupons } from './seed-coupons.ts';
import { seedPlayers } from './seed-players.ts';
import { seedShop } from './seed-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.closeAll());

test('every player of the demo has the two coupons once, however often it is seeded', async () => {
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
    const asked = { accountId, siteId: 'solmere', kind: 'item', gameId: 'solmere' } as const; // as: else any text
    const coupons = await listCoupons(shop.db, asked, 'de-DE');
    expect(coupons.map(({ name, state }) => [name, state]).toSorted()).toEqual([
      ['Danke fürs Mitspielen', 'usable'],
      ['Willkommensgeschenk', 'usable'],
    ]);
  }
});
