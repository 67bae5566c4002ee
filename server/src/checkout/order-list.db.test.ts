import { randomUUID } from 'node:crypto';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { OrderDetail, orderList, orderReceipt } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Buyer, givenBuyer, givenOrder, openPage, payAtProvider } from '../../test/buying.ts';
import {
  askRefund,
  captureOf,
  givenArrivedOrder,
  givenPaidOrder,
  runJob,
  withWorkerFor,
} from '../../test/money-back.ts';
import {
  givenPlacedOrder,
  letExpire,
  type OrderKey,
  recordsOf,
  setTries,
} from '../../test/orders.ts';
import { givenPaidInPoints, givenPoints, givenPointsOrder } from '../../test/point-buying.ts';
import { eventually, openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';
import { firstIdAt } from '../platform/ids.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
beforeEach(async () => {
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const everything = {
  shown: null,
  kind: null,
  gameId: null,
  from: null,
  until: null,
  after: null,
  limit: 100,
};

const ask = (body: object, cookie: string | undefined = buyer.cookie) =>
  send(shop, orderList.path, { cookie, body });

async function list(filter: Partial<typeof everything> | object = {}) {
  const reply = await ask({ ...everything, ...filter });
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
  return orderList.reply.parse(reply.data) satisfies ReplyOf<typeof orderList>;
}

const idsOf = ({ orders }: { orders: { paymentId: string }[] }) =>
  orders.map(({ paymentId }) => paymentId);

const newestFirst = (orders: readonly OrderKey[]) =>
  orders
    .map(({ paymentId }) => paymentId)
    .toSorted()
    .toReversed();

/** Inserts orders directly, because placing many orders would call the game for each of them. */
const givenMany = async (count: number, changes: object = {}) => {
  const placed = await Promise.all(
    Array.from({ length: count }, () =>
      givenPlacedOrder(shop.db, { accountId: buyer.accountId, ...changes }),
    ),
  );
  return placed.map(({ key }) => key);
};

describe('the order list', () => {
  test("[S7.19] the order list holds the player's own orders, newest first, as in the order detail", async () => {
    const other = await givenBuyer(shop);
    await givenOrder(shop, other);
    const item = await givenOrder(shop, buyer, { quantity: 2 });
    const points = await givenPointsOrder(shop, buyer);

    const { orders, nextAfter } = await list();

    expect(nextAfter).toBeNull();
    expect(idsOf({ orders })).toEqual([points.paymentId, item.paymentId]);
    for (const [index, key] of [points, item].entries()) {
      const detail = await send(shop, '/api/payment/order/detail', {
        cookie: buyer.cookie,
        body: { paymentId: key.paymentId },
      });
      expect(OrderDetail.parse(detail.data)).toMatchObject(orders[index] ?? {});
    }
    expect(orders[1]).toMatchObject({
      kind: 'item',
      shown: 'Unpaid',
      gameName: 'Solmere',
      quantity: 600n,
      giftQuantity: 60n,
      amountMinor: 998n,
      refundedMinor: 0n,
      paidAt: null,
    });
    expect(JSON.stringify((await ask(everything)).data)).not.toContain(other.accountId);
  });

  test('[S3.04] a recharge record has number, status, type, method, content, game, server, character, user id, amount and time', async () => {
    const item = await givenOrder(shop, buyer);
    const points = await givenPointsOrder(shop, buyer);
    const { orders } = await list();
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(orders).toEqual([
      {
        paymentId: points.paymentId,
        kind: 'points',
        status: 'Created',
        record: 1,
        shown: 'Unpaid',
        orderType: 'foreign',
        method: 'card',
        // E Points belong to the account and have no game, server and role.
        gameId: null,
        gameName: null,
        serverName: null,
        roleName: null,
        gameAccountId: null,
        itemName: '500 E Points',
        itemArt: expect.any(String),
        unit: expect.any(String),
        quantity: 500n,
        giftQuantity: 25n,
        amountMinor: 499n,
        currency: 'USD',
        refundedMinor: 0n,
        createdAt: time,
        expireAt: time,
        paidAt: null,
      },
      expect.objectContaining({
        paymentId: item.paymentId,
        kind: 'item',
        gameId: 'solmere',
        gameName: 'Solmere',
        serverName: 'S12 Dawnreach',
        roleName: expect.any(String),
        gameAccountId: buyer.gameAccountId,
        itemName: '300 Lumen Shards',
        quantity: 300n,
        amountMinor: 499n,
        currency: 'USD',
      }),
    ]);
  });

  test('the order list gives an expiry time for open orders only', async () => {
    const open = await givenOrder(shop, buyer);
    const closed = await givenOrder(shop, buyer);
    await letExpire(shop.db, closed);
    await runJob(shop, 'expire_order', closed);
    const { orders } = await list();
    const ends = orders.map(({ paymentId, expireAt }) => [paymentId, expireAt]);
    const [[, closedAt], [, openUntil]] = [
      ends.find(([paymentId]) => paymentId === closed.paymentId) ?? [],
      ends.find(([paymentId]) => paymentId === open.paymentId) ?? [],
    ];
    expect(closedAt).toBeNull();
    expect(Date.parse(openUntil ?? '')).toBeGreaterThan(Date.now());
  });

  test('the order list names items and units in the language of the player', async () => {
    await givenOrder(shop, buyer);
    const { data } = await send(shop, orderList.path, {
      cookie: buyer.cookie,
      body: everything,
      headers: { 'accept-language': 'de-DE' },
    });
    expect(orderList.reply.parse(data).orders[0]).toMatchObject({
      itemName: '300 Lumensplitter',
      unit: 'Splitter',
    });
  });

  test('the order list can be filtered by the shown status', async () => {
    await givenPoints(shop, buyer, { basic: 10_000n });
    const unpaid = await givenOrder(shop, buyer);
    const paying = await givenOrder(shop, buyer);
    await openPage(shop, buyer, paying);
    const paid = await givenPaidInPoints(shop, buyer);
    const arrived = await givenPaidInPoints(shop, buyer);
    await runJob(shop, 'deliver_order', arrived);
    const closed = await givenOrder(shop, buyer);
    await letExpire(shop.db, closed);
    await runJob(shop, 'expire_order', closed);
    const refunded = await givenPaidInPoints(shop, buyer);
    await askRefund(shop, refunded);
    const refunding = await givenPaidOrder(shop, buyer);
    await askRefund(shop, refunding);
    const partly = await givenPaidInPoints(shop, buyer);
    await askRefund(shop, partly, { amountMinor: 1n });
    const stuck = await givenStuck();

    const shown = async (status: string) => idsOf(await list({ shown: status }));
    expect(await shown('Unpaid')).toEqual(newestFirst([unpaid]));
    expect(await shown('Processing')).toEqual(newestFirst([paying, refunding]));
    expect(await shown('Paid')).toEqual(newestFirst([paid, partly, stuck]));
    expect(await shown('Fulfilled')).toEqual(newestFirst([arrived]));
    expect(await shown('PaymentFailed')).toEqual(newestFirst([closed]));
    expect(await shown('Refunded')).toEqual(newestFirst([refunded]));
    for (const status of ['Unpaid', 'Processing', 'Paid', 'Fulfilled', 'PaymentFailed']) {
      const { orders } = await list({ shown: status });
      expect(orders.map((order) => order.shown)).toEqual(orders.map(() => status));
    }
    const { orders } = await list({ shown: 'Paid' });
    expect(orders.find(({ paymentId }) => paymentId === partly.paymentId)).toMatchObject({
      refundedMinor: 1n,
    });
    expect((await list()).orders).toHaveLength(9);
  });

  test('the order list can be filtered by kind, game and time, and by all of them together', async () => {
    const [item] = await givenMany(1);
    const [other] = await givenMany(1, { gameId: 'other' });
    const points = await givenPointsOrder(shop, buyer);
    if (item === undefined || other === undefined) throw new Error('no orders');

    expect(idsOf(await list({ kind: 'points' }))).toEqual([points.paymentId]);
    expect(idsOf(await list({ kind: 'item' }))).toEqual(newestFirst([item, other]));
    expect(idsOf(await list({ gameId: 'solmere' }))).toEqual([item.paymentId]);
    expect(idsOf(await list({ gameId: 'nowhere' }))).toEqual([]);
    const all = { kind: 'item', gameId: 'other', shown: 'Unpaid', from: past(), until: future() };
    expect(idsOf(await list(all))).toEqual([other.paymentId]);
    expect(idsOf(await list({ ...all, shown: 'Paid' }))).toEqual([]);
  });

  test('the time filter of the order list includes its start and excludes its end', async () => {
    const [order] = await givenMany(1);
    const madeAtMs = madeAt(order);
    const at = (ms: number) => new Date(madeAtMs + ms).toISOString();

    const found = async (from: string | null, until: string | null) =>
      (await list({ from, until })).orders.length;
    expect(await found(at(0), null)).toBe(1);
    expect(await found(at(1), null)).toBe(0);
    expect(await found(null, at(0))).toBe(0);
    expect(await found(null, at(1))).toBe(1);
    expect(await found(at(0), at(1))).toBe(1);
    expect(await found(at(1), at(0))).toBe(0);
  });

  test('the time filter of the order list accepts every time from year 0000 to year 9999', async () => {
    await givenMany(1);
    const [first, last] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];
    expect((await list({ from: first, until: last })).orders).toHaveLength(1);
    expect((await list({ from: last })).orders).toHaveLength(0);
    expect((await list({ until: first })).orders).toHaveLength(0);
    expect((await list({ from: '1969-12-31T23:59:59.999Z' })).orders).toHaveLength(1);
  });
});

describe('order list pages', () => {
  test('the paged order list holds every order once while new orders are placed', async () => {
    const before = await givenMany(25);
    const seen: string[] = [];
    let after: string | null = null;
    const pages: number[] = [];
    do {
      const page = await list({ after, limit: 7 });
      pages.push(page.orders.length);
      seen.push(...idsOf(page));
      after = page.nextAfter;
      await givenMany(3); // newer than all of them
    } while (after !== null);

    expect(pages).toEqual([7, 7, 7, 4]);
    expect(seen).toEqual(newestFirst(before));
    expect((await list()).orders).toHaveLength(25 + 4 * 3);
  });

  test('the last page of the order list has no cursor, even when it is full', async () => {
    const orders = await givenMany(4);
    const first = await list({ limit: 2 });
    expect(first.nextAfter).toBe(newestFirst(orders)[1]);
    expect(await list({ limit: 2, after: first.nextAfter })).toMatchObject({ nextAfter: null });
    expect(await list({ limit: 4 })).toMatchObject({ nextAfter: null });
    expect(await list({ after: newestFirst(orders)[3] ?? '' })).toEqual({
      orders: [],
      nextAfter: null,
    });
  });

  test('a filter of the order list applies to every page', async () => {
    const wanted = await givenMany(5, { gameId: 'other' });
    await givenMany(5);
    const first = await list({ gameId: 'other', limit: 3 });
    const second = await list({ gameId: 'other', limit: 3, after: first.nextAfter });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(newestFirst(wanted));
    expect(second.nextAfter).toBeNull();
  });

  test("an order list request with a cursor made of another player's or an unknown payment id is answered with the player's own orders", async () => {
    const mine = await givenMany(2);
    const other = await givenBuyer(shop);
    const theirs = await givenOrder(shop, other);
    for (const after of [theirs.paymentId, firstIdAt(new Date(Date.now() + 60_000))]) {
      expect(idsOf(await list({ after }))).toEqual(newestFirst(mine));
    }
  });
});

test('an order list request that is malformed or without a session is refused', async () => {
  for (const changes of [
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { limit: '10' },
    { limit: undefined },
    { shown: 'Stuck' },
    { shown: undefined },
    { kind: 'gift' },
    { gameId: '../solmere' },
    { from: 'yesterday' },
    { from: '2026-02-30T00:00:00Z' },
    { until: 1_700_000_000 },
    { after: 'x' },
    { accountId: randomUUID() },
  ]) {
    expect(await ask({ ...everything, ...changes })).toMatchObject({
      httpStatus: 400,
      code: 'InvalidParams',
    });
  }
  expect(await send(shop, orderList.path, { body: everything })).toMatchObject({
    httpStatus: 203,
    code: 'InvalidToken',
  });
});

describe('receipts', () => {
  const receipt = (paymentId: unknown, cookie: string | undefined = buyer.cookie) =>
    send(shop, orderReceipt.path, { cookie, body: { paymentId } });

  test('a receipt names seller, buyer, item, amount and the payment reference of the provider', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const reply = await receipt(order.paymentId);
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
    expect(orderReceipt.reply.parse(reply.data)).toMatchObject({
      seller: 'Solmere',
      buyer: buyer.loginName,
      paymentReference: await captureOf(shop, order),
      order: {
        paymentId: order.paymentId,
        shown: 'Fulfilled',
        itemName: '300 Lumen Shards',
        amountMinor: 499n,
        currency: 'USD',
        refunds: [],
      },
    });
    expect((await receipt(order.paymentId)).data).toEqual(reply.data);
  });

  test('a receipt of an order paid in E Points has its payment id as payment reference', async () => {
    await givenPoints(shop, buyer, { basic: 500n });
    const order = await givenPaidInPoints(shop, buyer);
    expect((await receipt(order.paymentId)).data).toMatchObject({
      paymentReference: order.paymentId,
      order: { currency: 'EPOINT', amountMinor: '500' },
    });
  });

  test.each([
    ['of one cent too little', { amount: 498 }],
    ['in another currency', { currency: 'krw' }],
  ])(
    'a receipt names the capture that paid the order, not an earlier capture %s that was refunded',
    async (_what, override) => {
      const order = await givenOrder(shop, buyer);
      const wrong = await openPage(shop, buyer, order);
      await payAtProvider(shop, wrong, override);
      await withWorkerFor(shop, ['process_webhook'], () =>
        eventually(async () => (await recordsOf(shop.db, order)).order.review_reason !== null),
      );
      // An operator refunds the wrong capture, and the player pays again.
      await askRefund(shop, order, { captureId: await captureOf(shop, order), reason: 'misfit' });
      await withWorkerFor(shop, ['refund_payment'], () =>
        eventually(async () => (await recordsOf(shop.db, order)).order.review_reason === null),
      );
      await payAtProvider(shop, await openPage(shop, buyer, order));
      await withWorkerFor(shop, ['process_webhook'], () =>
        eventually(async () => (await recordsOf(shop.db, order)).order.state === 'paid'),
      );

      const { paymentReference } = orderReceipt.reply.parse((await receipt(order.paymentId)).data);
      expect(paymentReference).toBe(await captureOf(shop, order, 1));
    },
  );

  test('a receipt is still issued after a refund and lists the refunds', async () => {
    await givenPoints(shop, buyer, { basic: 500n });
    const order = await givenPaidInPoints(shop, buyer);
    const { refundId } = await askRefund(shop, order);
    expect((await receipt(order.paymentId)).data).toMatchObject({
      order: {
        status: 'Refunded',
        refundedMinor: '500',
        refunds: [{ refundId, amountMinor: '500', reason: 'operator', state: 'done' }],
      },
    });
  });

  test('a receipt of an unpaid order is refused with OrderNotPaid', async () => {
    const unpaid = await givenOrder(shop, buyer);
    const refusal = { httpStatus: 200, isSuccess: false, code: 'OrderNotPaid', data: null };
    expect(await receipt(unpaid.paymentId)).toMatchObject(refusal);
    await openPage(shop, buyer, unpaid);
    expect(await receipt(unpaid.paymentId)).toMatchObject(refusal);
  });

  test("a receipt of another player's order is refused as if the order did not exist", async () => {
    const other = await givenBuyer(shop);
    await givenPoints(shop, other, { basic: 500n });
    const { paymentId } = await givenPaidInPoints(shop, other);
    const [foreign, none] = [await receipt(paymentId), await receipt(randomUUID())];
    expect(foreign).toMatchObject({ isSuccess: false, code: 'PaymentIdWrong', data: null });
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(none));
  });

  test('a receipt request that is malformed, without a session or from another origin is refused', async () => {
    expect(await receipt('x')).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    expect(await receipt(undefined)).toMatchObject({ httpStatus: 400 });
    const { paymentId } = await givenOrder(shop, buyer);
    const body = { paymentId };
    expect(await send(shop, orderReceipt.path, { body })).toMatchObject({ httpStatus: 203 });
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { cookie } = buyer;
    expect(await send(shop, orderReceipt.path, { cookie, body, headers })).toMatchObject({
      httpStatus: 403,
    });
  });
});

/** An order whose delivery has used up all retries. */
async function givenStuck(): Promise<OrderKey> {
  const order = await givenPaidInPoints(shop, buyer);
  await setTries(shop.db, order, 11);
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'http500_before' });
  await runJob(shop, 'deliver_order', order);
  return order;
}

/** The creation time in an order id, in milliseconds. */
function madeAt(order: OrderKey | undefined): number {
  return Number.parseInt((order?.paymentId ?? '').replace('-', '').slice(0, 12), 16);
}

const past = () => new Date(Date.now() - 60_000).toISOString();
const future = () => new Date(Date.now() + 60_000).toISOString();

function withoutRequestId({ requestId: _requestId, ...reply }: Reply) {
  return reply;
}
