import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Buyer, detailOf, givenBuyer, grantsOf } from '../../test/buying.ts';
import {
  askProvider,
  deliveryOf,
  forgetJobs,
  givenDispute,
  givenPaidOrder,
  runJob,
  untilState,
  withWorkerFor,
} from '../../test/money-back.ts';
import { openTestShop, resetWorld, type TestShop } from '../../test/shop.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

test('a paid order is not delivered during a dispute and is delivered at once when the dispute is won', async () => {
  const order = await givenPaidOrder(shop, buyer);
  const dispute = await givenDispute(shop, order);
  await askProvider(shop, order);
  await runJob(shop, 'deliver_order', order);
  expect(await grantsOf(shop, order)).toEqual([]);
  const { next_try_at: nextTryAt } = await deliveryOf(shop.db, order);
  expect(nextTryAt?.getTime()).toBeGreaterThan(Date.now() + 5 * 60_000);

  await forgetJobs(shop.db, order);
  await dispute.move('won');
  await askProvider(shop, order);
  await withWorkerFor(shop, ['deliver_order'], () => untilState(shop.db, order, 'arrived'));

  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
});
