import { randomUUID } from 'node:crypto';
import { OrderDetail } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenItem,
  givenOrder,
  grantsOf,
  pay,
  sessionsOf,
  untilShown,
} from '../../test/buying.ts';
import { runJob, startJob } from '../../test/money-back.ts';
import {
  booksOf,
  brokenLinks,
  jobsOf,
  letExpire,
  type OrderKey,
  recordsOf,
} from '../../test/orders.ts';
import {
  balanceOf,
  givenOrderInPoints,
  givenPoints,
  givenPointsOrder,
  payWithPoints,
} from '../../test/point-buying.ts';
import { callRaw } from '../../test/raw-call.ts';
import { eventually, openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';
import { payFromBalance } from '../money/payments/payments.ts';
import { keepOfTopUp, walletOf } from '../money/points/points.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  await givenItem(shop, 'money_only');
});
beforeEach(async () => {
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const path = '/api/payment/order/epoint/pay';

const wallet = async () => {
  const { basic, present, seq } = await walletOf(shop.db, buyer.accountId);
  return { basic, present, seq };
};

/** Checks that no points were spent, no job was queued and the order is unchanged. */
async function isUntouched(order: OrderKey, before: Awaited<ReturnType<typeof wallet>>) {
  expect(await wallet()).toEqual(before);
  expect(await recordsOf(shop.db, order)).toMatchObject({
    order: { state: 'created', version: 0, paid_at: null },
    attempts: [],
    transfers: [],
    delivery: undefined,
  });
  expect(await jobsOf(shop.db, order)).toEqual([]);
}

describe('orders priced in E Points', () => {
  test('[S7.20] an order priced in E Points is paid from the balance, gift points first, and is delivered', async () => {
    await givenPoints(shop, buyer, { basic: 600n, present: 80n });
    const order = await givenOrderInPoints(shop, buyer);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      method: 'epoint',
      amountMinor: 500n,
      currency: 'EPOINT',
      shown: 'Unpaid',
    });

    const reply = await payWithPoints(shop, buyer, order);

    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
    const paid = OrderDetail.parse(reply.data);
    expect(paid).toMatchObject({ status: 'FullyPaid', record: 2, shown: 'Paid', expireAt: null });
    expect(paid.timeline.map(({ step }) => step)).toEqual(['created', 'paid', 'accepted']);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 180, presentNum: 0 });
    expect(await sessionsOf(shop, order)).toEqual([]); // no provider was called
    expect(await booksOf(shop.db, order)).toEqual({
      'player:basic EPOINT': -420n,
      'player:present EPOINT': -80n,
      'player:deposit EPOINT': 500n,
    });

    await runJob(shop, 'deliver_order', order);
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect(await grantsOf(shop, order)).toEqual([{ sku: 'lumen_shard', quantity: 330 }]);
    const records = await recordsOf(shop.db, order);
    expect(brokenLinks(records)).toEqual([]);
    expect(records.attempts).toMatchObject([{ state: 'captured' }]);
    expect(await booksOf(shop.db, order)).toMatchObject({
      'player:deposit EPOINT': 0n,
      'house:sales EPOINT': 500n,
    });
  });

  test('an order priced in E Points spends bought points first where the site is set to basic_first', async () => {
    await givenPoints(shop, buyer, { basic: 600n, present: 80n });
    const order = await givenOrderInPoints(shop, buyer);
    await shop.db.transaction((tx) =>
      tx.run(sql`update sites set spend_order = 'basic_first' where id = 'solmere'`),
    );
    const spendsBasicFirst = async () =>
      (await shop.sites.byId('solmere'))?.spendOrder === 'basic_first';
    await eventually(spendsBasicFirst);

    await payWithPoints(shop, buyer, order);

    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 100, presentNum: 80 });
    await shop.db.transaction((tx) =>
      tx.run(sql`update sites set spend_order = 'present_first' where id = 'solmere'`),
    );
    await eventually(async () => !(await spendsBasicFirst()));
  });

  test('an order priced in E Points cannot be paid by card', async () => {
    const order = await givenOrderInPoints(shop, buyer);
    expect(await pay(shop, buyer, order)).toMatchObject({ code: 'OrderPricedInPoints' });
    expect(await sessionsOf(shop, order)).toEqual([]);
    await isUntouched(order, await wallet());
  });

  test('an order with the payment method E Points is refused for an item that has no price in E Points', async () => {
    const { data, code } = await send(shop, '/api/payment/order/create', {
      cookie: buyer.cookie,
      body: { ...buyer.body, itemId: 'money_only', method: 'epoint' },
    });
    expect({ data, code }).toEqual({ data: null, code: 'ItemNotForSale' });
  });
});

describe('refused E Point payments', () => {
  const refuses = async (order: OrderKey, code: string) => {
    const before = await wallet();
    const reply = await payWithPoints(shop, buyer, order);
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: false, code, data: null });
    await isUntouched(order, before);
  };

  test('an E Point payment is refused when the balance is one point too low', async () => {
    await givenPoints(shop, buyer, { basic: 419n, present: 80n });
    const order = await givenOrderInPoints(shop, buyer);
    await refuses(order, 'EPointInsufficient');

    await givenPoints(shop, buyer, { present: 1n });
    expect(await payWithPoints(shop, buyer, order)).toMatchObject({ isSuccess: true });
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
  });

  test('an E Point payment is refused for a player who never had points', async () => {
    await refuses(await givenOrderInPoints(shop, buyer), 'EPointInsufficient');
  });

  test('an E Point payment cannot spend expired gift points whose expiry is not booked yet', async () => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await givenPoints(shop, buyer, { basic: 499n, present: 80n, presentExpiresAt: anHourAgo });
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 499, presentNum: 0 });
    const order = await givenOrderInPoints(shop, buyer);
    expect(await payWithPoints(shop, buyer, order)).toMatchObject({ code: 'EPointInsufficient' });
  });

  test('an E Point payment is refused while the player owes E Points, even if the player has enough gift points', async () => {
    await givenDebt(100n);
    await givenPoints(shop, buyer, { present: 1000n });
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: -100, presentNum: 1000 });
    await refuses(await givenOrderInPoints(shop, buyer), 'EPointDebt');
  });

  test("an E Point payment for another player's order is refused as if the order did not exist", async () => {
    await givenPoints(shop, buyer, { basic: 5000n });
    const owner = await givenBuyer(shop);
    await givenPoints(shop, owner, { basic: 5000n });
    const theirs = await givenOrderInPoints(shop, owner);
    const before = await wallet();

    const [foreign, none] = [
      await payWithPoints(shop, buyer, theirs),
      await payWithPoints(shop, buyer, { paymentId: randomUUID() }),
    ];

    expect(foreign).toMatchObject({ httpStatus: 200, isSuccess: false, code: 'PaymentIdWrong' });
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(none));
    expect(await wallet()).toEqual(before);
    expect((await recordsOf(shop.db, theirs)).order.state).toBe('created');
    expect(await walletOf(shop.db, owner.accountId)).toMatchObject({ basic: 5000n });
  });

  test('[S7.20] an E Point payment is refused for an order priced in money, which can still be paid by card', async () => {
    await givenPoints(shop, buyer, { basic: 5000n });
    const order = await givenOrder(shop, buyer);
    await refuses(order, 'OrderPricedInMoney');
    await refuses(await givenPointsOrder(shop, buyer), 'OrderPricedInMoney');
    expect(await pay(shop, buyer, order)).toMatchObject({ isSuccess: true });
  });

  test('an E Point payment is refused for an expired order, before and after the order is closed', async () => {
    await givenPoints(shop, buyer, { basic: 5000n });
    const order = await givenOrderInPoints(shop, buyer);
    await letExpire(shop.db, order);
    await refuses(order, 'OrderNotPayable');

    await runJob(shop, 'expire_order', order);
    expect(await payWithPoints(shop, buyer, order)).toMatchObject({ code: 'OrderNotPayable' });
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      status: 'Created',
      closedReason: 'expired',
    });
    expect(await wallet()).toMatchObject({ basic: 5000n });
  });

  test('an E Point payment request that is malformed, without a session or from another origin is refused', async () => {
    const { cookie } = buyer;
    const { paymentId } = await givenOrderInPoints(shop, buyer);
    for (const body of [{}, { paymentId: 'x' }, { paymentId, points: 1 }, '[]']) {
      expect(await send(shop, path, { cookie, body })).toMatchObject({
        httpStatus: 400,
        code: 'InvalidParams',
      });
    }
    expect(await payWithPoints(shop, { cookie: undefined }, { paymentId })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await send(shop, path, { cookie, body: { paymentId }, headers })).toMatchObject({
      httpStatus: 403,
    });
  });
});

describe('repeated E Point payments', () => {
  test('an E Point payment sent twice spends the points once and is answered with identical bytes', async () => {
    await givenPoints(shop, buyer, { basic: 5000n });
    const { accountId, paymentId } = await givenOrderInPoints(shop, buyer);
    const body = JSON.stringify({ paymentId });
    const sendIt = async () => {
      const { text } = await callRaw(shop.url + path, {
        method: 'POST',
        headers: {
          cookie: buyer.cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
        },
        body,
      });
      return text;
    };

    const first = await sendIt();

    expect(first).toContain('"isSuccess":true');
    expect(await sendIt()).toBe(first);
    expect(await wallet()).toMatchObject({ basic: 4500n });
    const records = await recordsOf(shop.db, { accountId, paymentId });
    expect(records.attempts).toHaveLength(1);
    expect(await jobsOf(shop.db, { accountId, paymentId })).toHaveLength(1);
  });

  test('an E Point payment repeated after delivery is answered with the current order status', async () => {
    await givenPoints(shop, buyer, { basic: 5000n });
    const order = await givenOrderInPoints(shop, buyer);
    await payWithPoints(shop, buyer, order);
    await runJob(shop, 'deliver_order', order);
    expect((await payWithPoints(shop, buyer, order)).data).toMatchObject({ shown: 'Fulfilled' });
    expect(await wallet()).toMatchObject({ basic: 4500n });
  });

  test('an E Point payment sent fifty times concurrently spends the points once', async () => {
    await givenPoints(shop, buyer, { basic: 5000n });
    const order = await givenOrderInPoints(shop, buyer);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => payWithPoints(shop, buyer, order)),
    );
    expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(50);
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await wallet()).toEqual({ basic: 4500n, present: 0n, seq: 2 });
    expect((await recordsOf(shop.db, order)).attempts).toHaveLength(1);
    expect(await jobsOf(shop.db, order)).toHaveLength(1);
  });
});

test('fifty concurrent E Point payments from a balance that covers one: one pays its order and the others are refused', async () => {
  await givenPoints(shop, buyer, { basic: 450n, present: 99n });
  const orders = await Promise.all(
    Array.from({ length: 50 }, () => givenOrderInPoints(shop, buyer)),
  );

  const replies = await Promise.all(orders.map((order) => payWithPoints(shop, buyer, order)));

  expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
  expect(replies.filter(({ code }) => code === 'EPointInsufficient')).toHaveLength(49);
  expect(await wallet()).toEqual({ basic: 49n, present: 0n, seq: 2 });
  const states = await Promise.all(
    orders.map(async (order) => (await recordsOf(shop.db, order)).order.state),
  );
  expect(states.filter((state) => state === 'paid')).toHaveLength(1);
  expect(states.filter((state) => state === 'created')).toHaveLength(49);
});

test('an order whose payment and expiry run concurrently ends either paid or closed, never both', async () => {
  await givenPoints(shop, buyer, { basic: 5000n });
  const order = await givenOrderInPoints(shop, buyer);
  await letExpire(shop.db, order);
  const expire = await startJob(shop, 'expire_order', order);
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update orders set expire_at = now() + interval '1 hour'
      where payment_id = ${order.paymentId}`),
  );

  await Promise.all([payWithPoints(shop, buyer, order), shop.db.transaction(expire)]);

  const { state, paid_at } = (await recordsOf(shop.db, order)).order;
  const { basic } = await wallet();
  expect([
    ['paid', true, 4500n],
    ['closed', false, 5000n],
  ]).toContainEqual([state, paid_at !== null, basic]);
});

// Debit, payment and delivery job are written in one transaction.
test('an E Point payment is rolled back completely when the delivery job cannot be queued', async () => {
  await givenPoints(shop, buyer, { basic: 5000n });
  const order = await givenOrderInPoints(shop, buyer);
  const before = await wallet();
  const failing = {
    ...shop.payments,
    effects: {
      ...shop.effects,
      onPaid: async () => {
        throw new Error('the job cannot be queued');
      },
    },
  };
  await expect(
    payFromBalance(failing, { ...order, locale: 'en-US', spendOrder: 'present_first' }),
  ).rejects.toThrow('the job cannot be queued');
  await isUntouched(order, before);
});

/** A top-up whose points were spent before its money went back. */
async function givenDebt(points: bigint): Promise<void> {
  const { accountId } = buyer;
  const order = await givenOrderInPoints(shop, buyer);
  await givenPoints(shop, buyer, { basic: 500n });
  await payWithPoints(shop, buyer, order);
  const { origin_id: originId } = await shop.db.one(
    z.object({ origin_id: z.uuid() }),
    sql`select origin_id from top_up_steps where account_id = ${accountId}`,
  );
  await shop.db.transaction((tx) =>
    keepOfTopUp(tx, { accountId, originId, posting: 'keep:1', basic: 500n - points, present: 0n }),
  );
}

function withoutRequestId({ requestId: _requestId, ...reply }: Reply) {
  return reply;
}
