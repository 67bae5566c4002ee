import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenBuyer } from '../../test/buying.ts';
import { codesOf, ownLimits, redeemed } from '../../test/redeem.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { listCodes } from '../checkout/redeem/redeem.ts';
import { demoCodes, seedCodes } from './seed-codes.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
});
afterAll(() => shop.closeAll());

test('the demo redeem codes can be redeemed by every player and are stored once after repeated seeding', async () => {
  await seedCodes(codesOf(shop), new Date());
  await seedCodes(codesOf(shop), new Date());
  expect((await listCodes(shop.db)).map(({ name }) => name).toSorted()).toEqual([
    'demo-item',
    'demo-points',
  ]);
  for (const buyer of [await givenBuyer(shop), await givenBuyer(shop)]) {
    for (const { code, reward } of demoCodes) {
      expect(await redeemed(shop, buyer, code)).toMatchObject({ reward: { kind: reward.kind } });
    }
  }
});
