import { OrderDetail, orderReceipt } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkBooks } from '../../../../tools/books/check-books.ts';
import {
  type Buyer,
  chargesOf,
  countOrders,
  createOrder,
  detailOf,
  givenBuyer,
  givenItem,
  givenOncePerAccount,
  openPage,
  pay,
  payAtProvider,
} from '../../../test/buying.ts';
import {
  couponOf,
  givenCoupon,
  givenOrderWith,
  orderWith,
  pointsOrderWith,
  quoteOf,
} from '../../../test/coupons.ts';
import {
  askRefund,
  attemptOf,
  breakPromise,
  payLate,
  refundsAt,
  runJob,
  sendRefunds,
} from '../../../test/money-back.ts';
import { booksOf, letExpire, letPageExpire, type OrderKey } from '../../../test/orders.ts';
import { balanceOf, givenPoints } from '../../../test/point-buying.ts';
import {
  openTestShop,
  type Reply,
  resetWorld,
  send,
  type TestShop,
  trustProvider,
} from '../../../test/shop.ts';
import { sweepPromises } from '../../delivery/delivery.jobs.ts';
import { findOrder } from '../../money/orders/orders.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const placed = ({ data }: Reply) => z.decode(OrderDetail, data as never); // as: decode checks it
const stateOf = async (couponId: string, player: Buyer = buyer) =>
  (await couponOf(shop, player, couponId)).state;

/** Pays by card without delivering the order. */
async function payFor(order: OrderKey, player: Buyer = buyer): Promise<void> {
  await payAtProvider(shop, await openPage(shop, player, order));
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
}

async function close(order: OrderKey): Promise<void> {
  await letExpire(shop.db, order);
  await runJob(shop, 'expire_order', order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('PaymentFailed');
}

/**
 * A closed order with a payment page that is still open: the provider created it and answered 500.
 */
async function givenClosedWithPage(couponId: string, changes: object = {}): Promise<OrderKey> {
  const match = 'POST /v1/checkout/sessions';
  await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
  const order = await givenOrderWith(shop, buyer, couponId, changes);
  await pay(shop, buyer, order);
  await letPageExpire(shop.db, order);
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  await close(order);
  return order;
}

describe('orders with a coupon', () => {
  test('an order with a coupon charges the discounted price and shows the discount up to the receipt', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const { detail, ...order } = await givenOrderWith(shop, buyer, couponId, { quantity: 3 });
    // 15 percent of 14.97 are 2.2455.
    const told = { couponName: 'Welcome (en-US)', discountMinor: 224n, priceBeforeMinor: 1497n };
    expect(detail).toMatchObject({ ...told, amountMinor: 1273n, currency: 'USD' });
    expect(await stateOf(couponId)).toBe('held');

    await payFor(order);
    expect(await chargesOf(shop, order)).toEqual([{ amount: 1273, currency: 'usd' }]);
    expect(await stateOf(couponId)).toBe('used');
    await runJob(shop, 'deliver_order', order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Fulfilled' });
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': -1273n,
      'house:sales USD': 1273n,
      'player:deposit USD': 0n,
    });
    expect(await auditViolations(order)).toEqual([]);
    const { cookie } = buyer;
    const { paymentId } = order;
    const headers = { 'accept-language': 'de-DE' };
    const { data } = await send(shop, orderReceipt.path, { cookie, body: { paymentId }, headers });
    const receipt = z.decode(orderReceipt.reply, data as never); // as: decode checks it
    expect(receipt.order).toMatchObject({ ...told, couponName: 'Welcome (de-DE)' });
  });

  test('an order with a coupon stores the coupon terms, the full price and the discount in its snapshot', async () => {
    const changes = { percent: '50', currency: 'USD', cap: '1.00', minimum: '2.00', kind: 'item' };
    const couponId = await givenCoupon(shop, buyer, changes);
    const order = await givenOrderWith(shop, buyer, couponId);
    const { coupon } = (await findOrder(shop.db, order))?.snapshot ?? {};
    expect(coupon).toEqual({
      couponId,
      templateId: expect.stringMatching(/^coupon-/),
      name: expect.objectContaining({ 'ko-KR': 'Welcome (ko-KR)' }),
      terms: {
        basisPoints: 5000,
        amountMinor: null,
        currency: 'USD',
        capMinor: '100',
        minimumMinor: '200',
        kind: 'item',
        gameIds: null,
        itemIds: null,
        siteIds: null,
        startsAt: expect.any(String),
        expiresAt: null,
      },
      priceBeforeMinor: '499',
      discountMinor: '100',
      decidedAt: expect.any(String),
    });
  });

  test('a refund of half the price of a discounted order that bought E Points takes back half of the points', async () => {
    const player = await givenBuyer(shop);
    const couponId = await givenCoupon(shop, player, {
      percent: null,
      amount: '0.99',
      currency: 'USD',
    });
    const { paymentId, ...detail } = placed(await pointsOrderWith(shop, player, couponId));
    expect(detail).toMatchObject({ amountMinor: 400n, discountMinor: 99n, priceBeforeMinor: 499n });
    const order = { accountId: player.accountId, paymentId };
    await payFor(order, player);
    expect(await chargesOf(shop, order)).toEqual([{ amount: 400, currency: 'usd' }]);
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500 });
    await askRefund(shop, order, { amountMinor: 200n, reason: 'goodwill' });
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 250 });
  });

  test('an order without a coupon shows no coupon name and no discount', async () => {
    expect(placed(await createOrder(shop, buyer))).toMatchObject({
      couponName: null,
      discountMinor: null,
      priceBeforeMinor: null,
      amountMinor: 499n,
    });
  });
});

describe('refused coupons', () => {
  test.each([
    ['that has expired', { days: 1 }, {}, 'CouponExpired'],
    ['that has not started', { startsAt: '2099-01-01T00:00:00Z' }, {}, 'CouponNotStarted'],
    ['for another kind of order', { kind: 'points' }, {}, 'CouponNotForThis'],
    ['for another item', { kind: 'item', items: ['shards_60'] }, {}, 'CouponNotForThis'],
    ['used on an order in E Points', {}, { method: 'epoint' }, 'CouponNotForThis'],
    [
      'used below its minimum amount',
      { currency: 'USD', minimum: '5.00' },
      {},
      'CouponBelowMinimum',
    ],
  ])(
    'an order with an unusable coupon is refused: a coupon %s',
    async (_what, changes, body, code) => {
      const player = await givenBuyer(shop);
      await givenPoints(shop, player, { basic: 10_000n });
      const couponId = await givenCoupon(shop, player, changes);
      if (code === 'CouponExpired') await letCouponExpire(couponId);
      expect(await orderWith(shop, player, couponId, body)).toMatchObject({ code, data: null });
      expect(await countOrders(shop, player)).toBe(0);
    },
  );

  test('the minimum amount of a coupon is compared with the price of all packs of the order', async () => {
    const couponId = await givenCoupon(shop, buyer, { currency: 'USD', minimum: '9.98' });
    expect(await orderWith(shop, buyer, couponId)).toMatchObject({ code: 'CouponBelowMinimum' });
    const two = placed(await orderWith(shop, buyer, couponId, { quantity: 2 }));
    expect(two).toMatchObject({ amountMinor: 849n });
  });

  test("an order with another player's coupon is refused as if the coupon did not exist", async () => {
    const others = await givenCoupon(shop, await givenBuyer(shop));
    for (const couponId of [others, crypto.randomUUID()]) {
      expect(await orderWith(shop, buyer, couponId)).toMatchObject({
        code: 'CouponNotFound',
        data: null,
      });
      expect(await pointsOrderWith(shop, buyer, couponId)).toMatchObject({
        code: 'CouponNotFound',
      });
    }
  });

  test('an order with a coupon for another site is refused', async () => {
    const couponId = await givenCoupon(shop, buyer);
    // Limits the template to another site. Templates cannot be changed otherwise.
    await unguarded(sql`
      update coupon_templates set site_ids = array['other']
      where id = (select template_id from coupons where coupon_id = ${couponId})`);
    expect(await orderWith(shop, buyer, couponId)).toMatchObject({ code: 'CouponNotForThis' });
  });

  test('an order with a coupon but without a quote id is refused with a new quote', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const quoteId = await quoteOf(shop, buyer, 'shards_300');
    expect(await createOrder(shop, buyer, { couponId })).toMatchObject({
      code: 'PriceChanged',
      data: { quoteId },
    });
    expect(await createOrder(shop, buyer, { couponId: 'none', quoteId })).toMatchObject({
      httpStatus: 400,
    });
    expect(await stateOf(couponId)).toBe('usable');
  });
});

describe('competing orders for a coupon', () => {
  test('fifty concurrent orders with the same coupon place exactly one order', async () => {
    const player = await givenBuyer(shop);
    const couponId = await givenCoupon(shop, player);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => orderWith(shop, player, couponId)),
    );
    const codes = replies.map(({ code }) => code);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'CouponUsed')).toHaveLength(49);
    expect(await countOrders(shop, player)).toBe(1);
  });

  test('an order request with a coupon that is repeated with the same clientOrderId and coupon creates one order', async () => {
    const player = await givenBuyer(shop);
    const couponId = await givenCoupon(shop, player);
    const clientOrderId = crypto.randomUUID();
    const again = () => orderWith(shop, player, couponId, { clientOrderId });
    const replies = [...(await Promise.all([again(), again(), again()])), await again()];
    expect(new Set(replies.map((reply) => placed(reply).paymentId)).size).toBe(1);
    const other = await givenCoupon(shop, player);
    expect(await orderWith(shop, player, other, { clientOrderId })).toMatchObject({
      code: 'InvalidParams',
    });
    const quoteId = await quoteOf(shop, player, 'shards_300');
    const without = await createOrder(shop, player, { clientOrderId, quoteId });
    expect(without).toMatchObject({ code: 'InvalidParams' });
    expect(await stateOf(other, player)).toBe('usable');
  });

  test('an order that is refused for another reason leaves its coupon usable', async () => {
    const couponId = await givenCoupon(shop, buyer);
    await shop.game.tell('/__sandbox/faults', {
      call: 'recharge.validate',
      kind: 'decline',
      reason: 'item_unavailable',
    });
    expect(await orderWith(shop, buyer, couponId)).toMatchObject({ code: 'ItemNotForSale' });
    expect(await stateOf(couponId)).toBe('usable');
  });
});

describe('coupons of orders closed unpaid', () => {
  test('an order closed unpaid releases its coupon, and closing it again does not take the coupon from the next order', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const order = await givenOrderWith(shop, buyer, couponId);
    await close(order);
    expect(await stateOf(couponId)).toBe('usable');
    const next = await givenOrderWith(shop, buyer, couponId);
    await runJob(shop, 'expire_order', order);
    expect(await couponOf(shop, buyer, couponId)).toMatchObject({
      state: 'held',
      paymentId: next.paymentId,
    });
  });

  test('an order paid after its expiry keeps its discounted price even if its coupon has expired', async () => {
    const couponId = await givenCoupon(shop, buyer, { days: 1 });
    const order = await givenClosedWithPage(couponId);
    await letCouponExpire(couponId);
    expect(await stateOf(couponId)).toBe('expired');
    await payLate(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Paid', amountMinor: 425n });
    expect(await couponOf(shop, buyer, couponId)).toMatchObject({
      state: 'used',
      paymentId: order.paymentId,
    });
    await runJob(shop, 'deliver_order', order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Fulfilled' });
  });

  test('an order paid after its expiry whose coupon another order holds by then is refunded in full', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const order = await givenClosedWithPage(couponId);
    const next = await givenOrderWith(shop, buyer, couponId);
    await payLate(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Processing',
      refunds: [{ reason: 'over_limit', state: 'pending', amountMinor: 425n }],
    });
    await sendRefunds(shop, order);
    expect(await refundsAt(shop, order)).toMatchObject([{ amount: 425, status: 'succeeded' }]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Refunded' });
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
    expect(await auditViolations(order)).toEqual([]);
    // The refund does not affect the order that holds the coupon.
    await payFor(next);
    expect(await couponOf(shop, buyer, couponId)).toMatchObject({
      state: 'used',
      paymentId: next.paymentId,
    });
  });

  test('an order paid after its expiry is refunded if the player has used up the purchase limit, and its coupon is usable again', async () => {
    await givenItem(shop, 'only_once');
    await givenOncePerAccount(shop, 'only_once');
    const quoteId = await quoteOf(shop, buyer, 'only_once');
    const couponId = await givenCoupon(shop, buyer);
    const order = await givenClosedWithPage(couponId, { itemId: 'only_once', quoteId });
    expect(await createOrder(shop, buyer, { itemId: 'only_once' })).toMatchObject({ code: null });
    await payLate(shop, order);
    const over = { reason: 'over_limit', state: 'pending' };
    expect(await detailOf(shop, buyer, order)).toMatchObject({ refunds: [over] });
    expect(await stateOf(couponId)).toBe('used');
    await sendRefunds(shop, order);
    expect(await stateOf(couponId)).toBe('usable');
  });

  test('an order paid after its expiry and a new order placed at the same moment never both use the same coupon', async () => {
    for (let round = 0; round < 5; round += 1) {
      await trustProvider(shop);
      const couponId = await givenCoupon(shop, buyer);
      const order = await givenClosedWithPage(couponId);
      const [reply] = await Promise.all([orderWith(shop, buyer, couponId), payLate(shop, order)]);
      const late = await detailOf(shop, buyer, order);
      const isLatePaid = late.shown === 'Paid';
      expect(reply.code).toBe(isLatePaid ? 'CouponUsed' : null);
      const { paymentId } = await couponOf(shop, buyer, couponId);
      expect(paymentId).toBe(isLatePaid ? order.paymentId : placed(reply).paymentId);
    }
  });
});

describe('coupons of refunded orders', () => {
  const deliver = (order: OrderKey) => runJob(shop, 'deliver_order', order);
  const decline = { call: 'recharge.deliver', kind: 'decline', reason: 'limit_reached' };

  test('a coupon becomes usable again once the refund of an order declined by the game is done', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const order = await givenOrderWith(shop, buyer, couponId);
    await payFor(order);
    await shop.game.tell('/__sandbox/faults', decline);
    await deliver(order);
    // The coupon stays used until the refund is done, because a refund may fail.
    expect(await stateOf(couponId)).toBe('used');
    await sendRefunds(shop, order);
    expect(await stateOf(couponId)).toBe('usable');
    const next = await givenOrderWith(shop, buyer, couponId);
    expect(next.detail).toMatchObject({ amountMinor: 425n });
    await sendRefunds(shop, order);
    expect(await couponOf(shop, buyer, couponId)).toMatchObject({ paymentId: next.paymentId });
  });

  test('a coupon becomes usable again when its order is refunded for late delivery', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const order = await givenOrderWith(shop, buyer, couponId);
    await payFor(order);
    await breakPromise(shop.db, order);
    await sweepPromises(shop);
    await sendRefunds(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      refunds: [{ reason: 'not_delivered_in_time' }],
    });
    expect(await stateOf(couponId)).toBe('usable');
  });

  test.each(['declined_by_game', 'not_delivered_in_time', 'late_and_gone', 'over_limit'] as const)(
    'a coupon becomes usable again after a full refund with the reason %s',
    async (reason) => {
      const couponId = await givenCoupon(shop, buyer);
      const order = await givenOrderWith(shop, buyer, couponId);
      await payFor(order);
      await askRefund(shop, order, { reason });
      await sendRefunds(shop, order);
      expect(await stateOf(couponId)).toBe('usable');
    },
  );

  test.each(['player_request', 'operator', 'goodwill', 'fraud'] as const)(
    'a coupon stays used after a full refund with the reason %s',
    async (reason) => {
      const couponId = await givenCoupon(shop, buyer);
      const order = await givenOrderWith(shop, buyer, couponId);
      await payFor(order);
      await deliver(order);
      await askRefund(shop, order, { reason });
      await sendRefunds(shop, order);
      expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
      expect(await stateOf(couponId)).toBe('used');
    },
  );

  test('a coupon stays used after a partial refund of its order', async () => {
    const couponId = await givenCoupon(shop, buyer);
    const order = await givenOrderWith(shop, buyer, couponId);
    await payFor(order);
    await askRefund(shop, order, { reason: 'declined_by_game', amountMinor: 100n });
    await sendRefunds(shop, order);
    expect(await stateOf(couponId)).toBe('used');
  });
});

/** The violations that the audit of the books reports for an order. */
async function auditViolations({ paymentId }: OrderKey): Promise<string[]> {
  const { databaseUrl, stripe, game } = shop;
  const findings = await checkBooks({
    databaseUrl,
    sandbox: { stripe: stripe.url, game: game.url },
  });
  expect(findings.length).toBeGreaterThan(10);
  return findings
    .flatMap(({ violations }) => violations)
    .filter((violation) => violation.includes(paymentId));
}

/** Runs a statement without the triggers that protect the tables. */
async function unguarded(statement: ReturnType<typeof sql>): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(statement);
  });
}

/** Moves the expiry of a coupon into the past. */
async function letCouponExpire(couponId: string): Promise<void> {
  await unguarded(sql`
    update coupons set expires_at = now() - interval '1 second' where coupon_id = ${couponId}`);
}
