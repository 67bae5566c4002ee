import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import { listenToOrder } from '../../test/order-stream.ts';
import { eventually, openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';

let shop: TestShop;
let buyer: Buyer;
let other: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  shop.startWorker();
  [buyer, other] = await Promise.all([givenBuyer(shop), givenBuyer(shop)]);
});
afterAll(() => shop.closeAll());

const detail = (cookie: string | undefined, paymentId: unknown) =>
  send(shop, '/api/payment/order/detail', { cookie, body: { paymentId } });

describe('order details', () => {
  test('[S7.18] the order detail shows the status and timeline of an order from unpaid to fulfilled', async () => {
    const order = await givenOrder(shop, buyer);
    expect((await detail(buyer.cookie, order.paymentId)).data).toMatchObject({
      paymentId: order.paymentId,
      status: 'Created',
      record: 1,
      shown: 'Unpaid',
      timeline: [{ step: 'created' }],
    });
    const sessionId = await openPage(shop, buyer, order);
    expect((await detail(buyer.cookie, order.paymentId)).data).toMatchObject({
      status: 'Pending',
      record: 1,
      shown: 'Processing',
    });
    await payAtProvider(shop, sessionId);
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect((await detail(buyer.cookie, order.paymentId)).data).toMatchObject({
      status: 'FullyPaid',
      record: 4,
      closedReason: null,
      isDeliveryDelayed: false,
      expireAt: null,
      timeline: [
        { step: 'created' },
        { step: 'payment_opened' },
        { step: 'paid' },
        { step: 'accepted' },
        { step: 'arrived' },
      ],
    });
  });

  test("an order detail request for another player's order is answered exactly like one for an unknown order", async () => {
    const { paymentId } = await givenOrder(shop, buyer);
    const theirs = await detail(other.cookie, paymentId);
    const none = await detail(other.cookie, randomUUID());

    expect(withoutRequestId(theirs)).toEqual(withoutRequestId(none));
    expect(theirs).toMatchObject({ httpStatus: 200, isSuccess: false, code: 'PaymentIdWrong' });
  });

  test("a payment for another player's order is refused as if the order did not exist", async () => {
    const { paymentId } = await givenOrder(shop, buyer);
    const paying = (id: string) =>
      send(shop, '/api/payment/order/pay', { cookie: other.cookie, body: { paymentId: id } });

    expect(withoutRequestId(await paying(paymentId))).toEqual(
      withoutRequestId(await paying(randomUUID())),
    );
    expect(await paying(paymentId)).toMatchObject({ code: 'PaymentIdWrong' });
  });

  test('an order detail request without a session, with a malformed payment id or with an additional field is refused', async () => {
    const { paymentId } = await givenOrder(shop, buyer);
    expect(await detail(buyer.cookie, 'x')).toMatchObject({ httpStatus: 400 });
    const extra = { paymentId, accountId: buyer.accountId };
    expect(
      await send(shop, '/api/payment/order/detail', { cookie: other.cookie, body: extra }),
    ).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    expect(await detail(undefined, paymentId)).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
  });
});

describe('order change streams', () => {
  test('an order change stream sends an event on connect and after every change of the order', async () => {
    const order = await givenOrder(shop, buyer);
    const stream = await listenToOrder(shop, order.paymentId, buyer.cookie);
    expect(stream.contentType).toBe('text/event-stream');
    await stream.untilChanges(1);

    const sessionId = await openPage(shop, buyer, order);
    await stream.untilChanges(2);
    await payAtProvider(shop, sessionId);
    await stream.untilChanges(4); // paid, and arrived
    await stream.stop();
  });

  test.skipIf(inject('redisUrl') === null)(
    'an order change stream tells the browser whether this server hears through Redis of changes that other servers make',
    async () => {
      const order = await givenOrder(shop, buyer);
      // The shop may not have been connected to Redis when the first stream began.
      await eventually(async () => {
        const stream = await listenToOrder(shop, order.paymentId, buyer.cookie);
        await stream.untilChanges(1);
        await stream.stop();
        return stream.hasHeard();
      });

      const alone = await openTestShop({ REDIS_URL: 'redis://127.0.0.1:9' });
      const player = await givenBuyer(alone);
      const { paymentId } = await givenOrder(alone, player);
      const stream = await listenToOrder(alone, paymentId, player.cookie);
      await stream.untilChanges(1);
      await alone.closeAll();
      await stream.ended;
      expect(stream.hasHeard()).toBe(false);
    },
  );

  test('an order change stream sends nothing about other orders', async () => {
    const [mine, another] = [await givenOrder(shop, buyer), await givenOrder(shop, buyer)];
    const stream = await listenToOrder(shop, mine.paymentId, buyer.cookie);
    await stream.untilChanges(1);
    const witness = await listenToOrder(shop, another.paymentId, buyer.cookie);
    await openPage(shop, buyer, another);
    await witness.untilChanges(2);

    expect(stream.changes()).toBe(1);
    await Promise.all([stream.stop(), witness.stop()]);
  });

  test("an order change stream is refused for another player's order, an unknown order and without a session", async () => {
    const { paymentId } = await givenOrder(shop, buyer);
    const asked = async (id: string, cookie: string | undefined) =>
      await send(shop, `/api/payment/order/changes/${id}`, { method: 'GET', cookie });

    const theirs = await asked(paymentId, other.cookie);
    expect(theirs).toMatchObject({ isSuccess: false, code: 'PaymentIdWrong' });
    expect(withoutRequestId(await asked(randomUUID(), other.cookie))).toEqual(
      withoutRequestId(theirs),
    );
    expect(await asked('x', other.cookie)).toMatchObject({ code: 'PaymentIdWrong' });
    expect(await asked(paymentId, undefined)).toMatchObject({ httpStatus: 203 });
  });

  // Otherwise an open stream delays a deployment by up to ten minutes.
  test('an order change stream ends when the server shuts down', async () => {
    const stopping = await openTestShop({ LOG_LEVEL: 'silent' });
    const player = await givenBuyer(stopping);
    const { paymentId } = await givenOrder(stopping, player);
    const stream = await listenToOrder(stopping, paymentId, player.cookie);
    await stream.untilChanges(1);

    await stopping.closeAll();
    await stream.ended;
  });
});

function withoutRequestId({ requestId: _unique, ...rest }: Reply) {
  return rest;
}
