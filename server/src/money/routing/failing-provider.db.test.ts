import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenItem,
  givenOrder,
  openPage,
  pay,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import { operate } from '../../../test/operate.ts';
import type { OrderKey } from '../../../test/orders.ts';
import { openRedisLine, type RedisLine } from '../../../test/redis-line.ts';
import { letTrialBeDue, methodsOf } from '../../../test/routing.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { openSharedValues } from '../../platform/shared-values.ts';

// A provider that does not answer is taken out automatically for all processes, and readmitted
// later.

const redisUrl = inject('redisUrl');
const refused = { isSuccess: false, code: 'MethodUnavailable' };
const sessions = 'POST /v1/checkout/sessions';

describe.skipIf(redisUrl === null)('failing providers', () => {
  let line: RedisLine;
  let shop: TestShop;
  let buyer: Buyer;
  beforeAll(async () => {
    line = await openRedisLine(redisUrl ?? '');
    // Scheduled checks are due long after the test, so the worker acts only on due trials.
    const PAYMENT_CHECK_SECONDS = '3600';
    shop = await openTestShop({ LOG_LEVEL: 'silent', REDIS_URL: line.url, PAYMENT_CHECK_SECONDS });
    await givenItem(shop, 'too_dear', { priceMinor: 100_000_000n }); // the provider takes less
    buyer = await givenBuyer(shop);
  });
  beforeEach(() => shop.stripe.tell('/__sandbox/reset', {}));
  afterAll(async () => {
    await shop.closeAll();
    await line.cut();
  });

  const breakProvider = () =>
    shop.stripe.tell('/__sandbox/faults', {
      match: sessions,
      kind: 'http500_before',
      stored: false,
      times: 1000,
    });
  const mendProvider = () => shop.stripe.tell('/__sandbox/reset', {});
  const isOffered = async () => (await methodsOf(shop, buyer, {})).includes('card');

  /** Makes unconfirmed payments until the provider counts as failing. */
  async function givenFailing(): Promise<OrderKey[]> {
    await breakProvider();
    const orders: OrderKey[] = [];
    while ((await isOffered()) && orders.length < 12) {
      const order = await givenOrder(shop, buyer);
      expect(await pay(shop, buyer, order)).toMatchObject({ code: 'PaymentUnconfirmed' });
      orders.push(order);
    }
    return orders;
  }

  test('a payment provider that stops answering is not offered until a trial payment of one player succeeds', async () => {
    const before = await givenOrder(shop, buyer);
    const page = await openPage(shop, buyer, before);
    const waiting = [await givenOrder(shop, buyer), await givenOrder(shop, buyer)];
    const orders = await givenFailing();
    expect(orders.length).toBeGreaterThanOrEqual(5);
    expect(orders.length).toBeLessThan(12);

    expect(await createOrder(shop, buyer)).toMatchObject(refused);
    for (const order of waiting) expect(await pay(shop, buyer, order)).toMatchObject(refused);
    // A payment page that was already open stays usable.
    expect(await openPage(shop, buyer, before)).toBe(page);
    const { out } = await operate(shop, ['methods']);
    expect(JSON.parse(out).providers).toMatchObject([{ provider: 'stripe', isFailing: true }]);
    expect(JSON.parse(out).methods).toContainEqual(
      expect.objectContaining({ method: 'card', state: 'failing' }),
    );

    await letTrialBeDue(shop, 'stripe', line.url);
    expect(await isOffered()).toBe(true);
    const replies = await Promise.all(waiting.map((order) => pay(shop, buyer, order)));
    const codes = replies.map(({ code }) => code).toSorted();
    expect(codes).toEqual(['MethodUnavailable', 'PaymentUnconfirmed']);
    expect(await isOffered()).toBe(false);

    await mendProvider();
    await letTrialBeDue(shop, 'stripe', line.url);
    const left = waiting[replies.findIndex(({ code }) => code === 'MethodUnavailable')];
    if (left === undefined) throw new Error('no order was left without a trial');
    await payAtProvider(shop, await openPage(shop, buyer, left));
    expect(await isOffered()).toBe(true);
    expect(await createOrder(shop, buyer)).toMatchObject({ isSuccess: true });
  });

  test('a failing payment provider is tried again by the worker with an earlier unfinished payment, even if no player pays', async () => {
    const [order] = await givenFailing();
    if (order === undefined) throw new Error('the provider was already failing');
    await mendProvider();
    const stop = shop.startWorker();
    await letTrialBeDue(shop, 'stripe', line.url);
    // The provider is offered once a trial is due, but readmitted only after the worker's trial.
    await eventually(async () => (await shop.routing.health.of('stripe')).out === null);
    await stop();
    const paid = await givenOrder(shop, buyer);
    const page = await openPage(shop, buyer, paid);
    const stopAgain = shop.startWorker();
    await payAtProvider(shop, page);
    await untilShown(shop, buyer, paid, 'Fulfilled');
    await stopAgain();
  });

  test('a provider that refuses payments does not count as failing', async () => {
    for (let orders = 0; orders < 8; orders += 1) {
      const order = await givenOrder(shop, buyer, { itemId: 'too_dear' });
      expect(await pay(shop, buyer, order)).toMatchObject({ code: 'PaymentInitiationFailed' });
    }
    expect(await isOffered()).toBe(true);
  });

  test('a failing payment provider is offered to players while Redis, which holds the provider health, is down', async () => {
    await givenFailing();
    expect(await isOffered()).toBe(false);
    await line.cut();
    expect(await eventually(isOffered)).toBe(true);
    const environment = { REDIS_URL: line.url, LOG_LEVEL: 'silent' };
    const { out } = await operate(shop, ['methods'], { environment });
    expect(JSON.parse(out).providers).toMatchObject([{ provider: 'stripe', isFailing: null }]);
    expect(await createOrder(shop, buyer)).toMatchObject({ isSuccess: true });
    await mendProvider();
    const order = await givenOrder(shop, buyer);
    await openPage(shop, buyer, order);
    await line.mend();
    await eventually(async () => !(await isOffered()));
  });
});

describe.skipIf(redisUrl === null)('shared values in Redis', () => {
  const prefix = `test:${crypto.randomUUID()}:`;
  const open = (keepMs = 60_000) =>
    openSharedValues({ redisUrl: redisUrl ?? undefined, prefix, keepMs });

  test('a provider health value in Redis is set by only one of twenty concurrent writers, and other processes read that value', async () => {
    const [here, there] = [open(), open()];
    await eventually(async () => (await here.read('one').catch(() => '')) === null);
    await eventually(async () => (await there.read('one').catch(() => '')) === null);
    const writes = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? here : there).swap('one', { before: null, after: `${index}` }),
    );
    expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(1);
    const value = await here.read('one');
    expect(await there.read('one')).toBe(value);
    expect(await there.swap('one', { before: 'another', after: 'wrong' })).toBe(false);
    expect(await there.swap('one', { before: value, after: 'right' })).toBe(true);
    expect(await here.read('one')).toBe('right');
    await Promise.all([here.close(), there.close()]);
  });

  test('a Redis answer that arrived while the process was blocked is used for provider health and not taken for a timeout', async () => {
    const values = open();
    await eventually(async () => (await values.read('three').catch(() => '')) === null);
    await values.swap('three', { before: null, after: 'there' });
    const reading = values.read('three');
    await setImmediate(); // The request has been sent.
    const aSecond = 1_000; // longer than the timeout of Redis calls
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, aSecond);
    expect(await reading).toBe('there');
    await values.close();
  });

  test('a provider health value shared in Redis expires when no process changes it', async () => {
    const values = open(50);
    await eventually(async () => (await values.read('two').catch(() => '')) === null);
    await values.swap('two', { before: null, after: 'short' });
    await eventually(async () => (await values.read('two')) === null);
    await values.close();
  });
});
