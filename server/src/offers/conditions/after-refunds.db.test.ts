import type { RefundReason } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenItem,
  givenOncePerAccount,
  givenOrder,
} from '../../../test/buying.ts';
import { captured, closed, declined, expired, first, opened, second } from '../../../test/facts.ts';
import { askRefund, givenArrivedOrder, givenPaidOrder, runJob } from '../../../test/money-back.ts';
import { letExpire, type OrderKey } from '../../../test/orders.ts';
import { forgetPromotions, givenGiftRule } from '../../../test/promotions.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import type { Fact } from '../../money/orders/order-fact.ts';
import { findOrder, recordFacts } from '../../money/orders/orders.ts';

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

describe('purchase limits', () => {
  test.each([
    'declined_by_game',
    'not_delivered_in_time',
    'late_and_gone',
    'over_limit',
    'goodwill',
    'operator',
  ] as const)(
    'a once-only pack may be bought again after a full refund with the reason %s',
    async (reason) => {
      const buyer = await givenBuyer(shop);
      const order = await givenPaidOrder(shop, buyer, { itemId: 'once' });
      expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
      await refundAll(order, reason);
      expect(await buyAgain(buyer)).toBe('bought');
      expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
    },
  );

  test.each(['player_request', 'fraud'] as const)(
    'a once-only pack still counts as bought after a full refund with the reason %s',
    async (reason) => {
      const buyer = await givenBuyer(shop);
      await refundAll(await givenArrivedOrder(shop, buyer, { itemId: 'once' }), reason);
      expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
    },
  );

  test('a once-only pack counts as bought after a partial refund', async () => {
    const buyer = await givenBuyer(shop);
    const order = await givenPaidOrder(shop, buyer, { itemId: 'once' });
    const asked = { reason: 'not_delivered_in_time', amountMinor: 498n } as const;
    const { refundId } = await askRefund(shop, order, asked);
    await runJob(shop, 'refund_payment', { ...order, refundId });
    expect(await buyAgain(buyer)).toBe('PurchaseLimitReached');
  });
});

describe('first-purchase gifts', () => {
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

  test('a first-purchase gift is available again after the game declined the first order', () =>
    withRule(async () => {
      const buyer = await givenBuyer(shop);
      const order = await givenPaidOrder(shop, buyer);
      expect(await giftOf(order)).toBe('first_purchase');
      await refundAll(order, 'declined_by_game');
      expect(await giftOf(await givenOrder(shop, buyer))).toBe('first_purchase');
      expect(await giftOf(await givenOrder(shop, buyer))).not.toBe('first_purchase');
    }));

  test("a first-purchase gift is used up by a delivered order that was refunded at the player's request", () =>
    withRule(async () => {
      const buyer = await givenBuyer(shop);
      await refundAll(await givenArrivedOrder(shop, buyer), 'player_request');
      expect(await giftOf(await givenOrder(shop, buyer))).not.toBe('first_purchase');
    }));

  /** Expires an order whose payment page was opened and closed unpaid. */
  async function closeUnpaid(order: OrderKey) {
    await letExpire(shop.db, order);
    await tell(order, opened(first), expired, closed(first));
    expect(await findOrder(shop.db, order)).toMatchObject({ state: 'closed' });
  }

  test('an order paid after its expiry is refunded when a newer order of the player has the first-purchase gift', () =>
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

  test('an order paid after its expiry keeps its first-purchase gift when no other open order of the player has that gift', () =>
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
