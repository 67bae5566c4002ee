import type { RefundReason } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenItem,
  givenOncePerAccount,
  givenOrder,
} from '../../test/buying.ts';
import { captured, closed, declined, expired, first, opened, second } from '../../test/facts.ts';
import { askRefund, givenArrivedOrder, givenPaidOrder, runJob } from '../../test/money-back.ts';
import { letExpire, type OrderKey } from '../../test/orders.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import type { Fact } from '../money/orders/order-fact.ts';
import { findOrder, recordFacts } from '../money/orders/orders.ts';
import { forgetPromotions, givenGiftRule } from './promotions/test/promoting.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  await givenItem(shop, 'once');
  await givenOncePerAccount(shop, 'once');
});
afterAll(() => shop.closeAll());

async function refundAll(order: OrderKey, reason: RefundReason): Promise<void> {
  const { refundId } = await askRefund(shop, order, { reason });
  await runJob(shop, 'refund_payment', { ...order, refundId });
  expect(await findOrder(shop.db, order)).toMatchObject({ state: 'refunded' });
}

const tell = (order: OrderKey, ...facts: Fact[]) =>
  shop.db.transaction((tx) => recordFacts(tx, shop.effects, order, facts));

const buyAgain = async (buyer: Buyer) =>
  (await createOrder(shop, buyer, { itemId: 'once' })).code ?? 'bought';

describe('a pack that may be bought once', () => {
  test.each([
    'declined_by_game',
    'not_delivered_in_time',
    'late_and_gone',
    'over_limit',
    'goodwill',
    'operator',
  ] as const)('may be bought again when all money went back as %s', async (reason) => {
    const buyer = await givenBuyer(shop);
    const order = await givenPaidOrder(shop, buyer, { itemId: 'once' });
    expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
    await refundAll(order, reason);
    expect(await buyAgain(buyer)).toBe('bought');
    expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
  });

  test.each(['player_request', 'fraud'] as const)(
    'was bought, though all money went back as %s',
    async (reason) => {
      const buyer = await givenBuyer(shop);
      await refundAll(await givenArrivedOrder(shop, buyer, { itemId: 'once' }), reason);
      expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
    },
  );

  test('was bought while a part of its money is here', async () => {
    const buyer = await givenBuyer(shop);
    const order = await givenPaidOrder(shop, buyer, { itemId: 'once' });
    const asked = { reason: 'not_delivered_in_time', amountMinor: 498n } as const;
    const { refundId } = await askRefund(shop, order, asked);
    await runJob(shop, 'refund_payment', { ...order, refundId });
    expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
  });
});

describe('the gift of a first purchase', () => {
  const giftOf = async (order: OrderKey) =>
    (await findOrder(shop.db, order))?.snapshot.gift?.reason ?? 'none';
  const withRule = async (run: () => Promise<void>) => {
    await givenGiftRule(shop.db, 'first', { firstPurchase: 'of_any' });
    try {
      await run();
    } finally {
      await forgetPromotions(shop.db);
    }
  };

  test('is there again when the game declined the first one', () =>
    withRule(async () => {
      const buyer = await givenBuyer(shop);
      const order = await givenPaidOrder(shop, buyer);
      expect(await giftOf(order)).toBe('first_purchase');
      await refundAll(order, 'declined_by_game');
      expect(await giftOf(await givenOrder(shop, buyer))).toBe('first_purchase');
      expect(await giftOf(await givenOrder(shop, buyer))).not.toBe('first_purchase');
    }));

  test('was had by whoever had the goods and changed their mind', () =>
    withRule(async () => {
      const buyer = await givenBuyer(shop);
      await refundAll(await givenArrivedOrder(shop, buyer), 'player_request');
      expect(await giftOf(await givenOrder(shop, buyer))).not.toBe('first_purchase');
    }));

  /** Its payment page was opened, and closed by itself. */
  async function closeUnpaid(order: OrderKey) {
    await letExpire(shop.db, order);
    await tell(order, opened(first), expired, closed(first));
    expect(await findOrder(shop.db, order)).toMatchObject({ state: 'closed' });
  }

  test('is given once: late money goes back where another order has it by then', () =>
    withRule(async () => {
      const buyer = await givenBuyer(shop);
      const late = await givenOrder(shop, buyer);
      await closeUnpaid(late);
      const other = await givenOrder(shop, buyer);
      expect([await giftOf(late), await giftOf(other)]).toEqual([
        'first_purchase',
        'first_purchase',
      ]);
      await tell(late, captured(first));
      expect(await findOrder(shop.db, late)).toMatchObject({ state: 'refunding' });
    }));

  test('is the late order’s where nobody has it by then, and no other’s after that', () =>
    withRule(async () => {
      const buyer = await givenBuyer(shop);
      const late = await givenOrder(shop, buyer);
      await closeUnpaid(late);
      const left = await givenOrder(shop, buyer);
      await tell(left, opened(second), declined(second), expired);
      await tell(late, captured(first));
      expect(await findOrder(shop.db, late)).toMatchObject({ state: 'paid' });
      expect(await giftOf(await givenOrder(shop, buyer))).not.toBe('first_purchase');
    }));
});
