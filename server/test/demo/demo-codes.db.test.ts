import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCodes } from '../../src/checkout/redeem/redeem.ts';
import { seedCodes } from '../../src/documents/seed/seed-codes.ts';
import { givenBuyer } from '../buying.ts';
import { openDemo } from '../demo.ts';
import { codesOf, ownLimits, redeemed } from '../redeem.ts';
import { openTestShop, type TestShop } from '../shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
});
afterAll(() => shop.closeAll());

test('the demo redeem codes can be redeemed by every player, and seeding them again does not store them twice', async () => {
  const { codes } = openDemo().demo;
  await seedCodes(codesOf(shop), codes);
  await seedCodes(codesOf(shop), codes);
  expect((await listCodes(shop.db)).map(({ name }) => name).toSorted()).toEqual([
    'demo-item',
    'demo-points',
  ]);
  for (const buyer of [await givenBuyer(shop), await givenBuyer(shop)]) {
    for (const { code, reward } of codes) {
      expect(await redeemed(shop, buyer, code)).toMatchObject({ reward: { kind: reward.kind } });
    }
  }
});
