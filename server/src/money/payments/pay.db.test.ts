import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Buyer,
  chargesOf,
  detailOf,
  givenBuyer,
  givenItem,
  givenOrder,
  grantsOf,
  openPage,
  pay,
  payAtProvider,
  sessionOf,
  sessionsOf,
  untilShown,
} from '../../../test/buying.ts';
import {
  atDesk,
  letExpire,
  letPageExpire,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import type { PaymentProvider } from '../psp/psp.ts';
import { openPayment, providerOf } from './payments.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  await givenItem(shop, 'too_dear', { priceMinor: 100_000_000n }); // the provider takes less
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(() => reset());
afterEach(() => vi.restoreAllMocks());
afterAll(() => shop.closeAll());

/** A fault for one call, or until the next reset: the provider's library and the job retry. */
const fault = (kind: string, more: object = {}) =>
  shop.stripe.tell('/__sandbox/faults', { match: 'POST /v1/checkout/sessions', kind, ...more });
const faultUntilReset = (kind: string, more: object = {}) => fault(kind, { times: 1000, ...more });
const reset = () => shop.stripe.tell('/__sandbox/reset', {});

describe('payment pages', () => {
  test("a payment request opens one payment page at the provider, with the order's full price", async () => {
    const order = await givenOrder(shop, buyer, { quantity: 2 });
    const reply = await pay(shop, buyer, order);

    expect(reply).toMatchObject({ isSuccess: true, data: { action: { kind: 'redirect' } } });
    const { attempts } = await recordsOf(shop.db, order);
    expect(attempts).toMatchObject([{ state: 'open', psp_ref: sessionOf(reply) }]);
    expect(await sessionsOf(shop, order)).toMatchObject([
      { status: 'open', amount_total: 998, currency: 'usd', locale: 'en' },
    ]);
  });

  test.each([
    ['two minutes', 2],
    ['two days', 48 * 60],
  ])(
    'an order that expires in %s gets a payment page although the provider limits the expiry times of its pages',
    async (_what, minutes) => {
      const order = await givenOrder(shop, buyer);
      await shop.db.transaction((tx) =>
        tx.run(sql`
          update orders set expire_at = now() + make_interval(mins => ${minutes})
          where payment_id = ${order.paymentId}`),
      );
      await openPage(shop, buyer, order);
      expect(await sessionsOf(shop, order)).toMatchObject([{ status: 'open' }]);
    },
  );

  test('a repeated payment request returns the open page even while the provider is down', async () => {
    const order = await givenOrder(shop, buyer);
    const first = await pay(shop, buyer, order);
    await fault('http500_before');
    expect((await pay(shop, buyer, order)).data).toEqual(first.data);
  });

  test('twenty concurrent payment requests for one order make one payment attempt and one payment page', async () => {
    const order = await givenOrder(shop, buyer);
    const replies = await Promise.all(Array.from({ length: 20 }, () => pay(shop, buyer, order)));

    expect(new Set(replies.map(sessionOf)).size).toBe(1);
    expect((await recordsOf(shop.db, order)).attempts).toHaveLength(1);
    expect(await sessionsOf(shop, order)).toHaveLength(1);
  });

  test('an order whose card is declined first and accepted on retry is charged and delivered once', async () => {
    const order = await givenOrder(shop, buyer);
    const sessionId = await openPage(shop, buyer, order);
    const declined = await fetch(`${shop.stripe.url}/c/pay/${sessionId}/decline`, {
      method: 'POST',
    });
    expect(declined.url).toContain('declined=1');
    expect((await detailOf(shop, buyer, order)).shown).toBe('Processing');

    await payAtProvider(shop, sessionId);
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect(await chargesOf(shop, order)).toHaveLength(1);
    expect(await grantsOf(shop, order)).toHaveLength(1);
  });
});

describe('orders that cannot be paid', () => {
  const refused = async (order: { paymentId: string }) =>
    expect(await pay(shop, buyer, order)).toMatchObject({
      isSuccess: false,
      code: 'OrderNotPayable',
    });

  test('an expired order cannot be paid even before it is closed', async () => {
    const order = await givenOrder(shop, buyer);
    await letExpire(shop.db, order);
    await refused(order);
    expect(await sessionsOf(shop, order)).toEqual([]);
  });

  test('a paid order cannot be paid again', async () => {
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await untilShown(shop, buyer, order, 'Fulfilled');
    await refused(order);
    expect(await sessionsOf(shop, order)).toHaveLength(1);
  });

  test('an order with a capture that does not match its price cannot be paid again', async () => {
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order), { amount: 498 });
    await eventually(async () => (await recordsOf(shop.db, order)).order.review_reason !== null);
    await refused(order);
    expect(await sessionsOf(shop, order)).toHaveLength(1);
  });
});

describe('unconfirmed payments', () => {
  /** The request is answered as unconfirmed, and the check job finds or makes the single page. */
  const recovers = async (headers: Record<string, string> = {}, placed?: OrderKey) => {
    const order = placed ?? (await givenOrder(shop, buyer));
    const reply = await pay(shop, buyer, order, headers);
    expect(reply).toMatchObject({ isSuccess: false, code: 'PaymentUnconfirmed' });
    await reset();

    const { attempts } = await eventually(async () => {
      const records = await recordsOf(shop.db, order);
      return records.attempts[0]?.state === 'open' && records;
    });
    const sessions = await sessionsOf(shop, order);
    expect(sessions).toHaveLength(1);
    expect(attempts).toHaveLength(1);
    expect(sessions[0]).toMatchObject({
      id: attempts[0]?.psp_ref,
      metadata: { attemptId: attempts[0]?.attempt_id },
    });
    expect(sessionOf(await pay(shop, buyer, order))).toBe(sessions[0]?.id);
  };

  test('a payment request that the provider answers with HTTP 500 before making a payment page ends with exactly one page', async () => {
    await faultUntilReset('http500_before', { stored: false });
    await recovers();
  });

  test('a payment request that the provider answers with HTTP 500 after making the payment page ends with exactly one page', async () => {
    await faultUntilReset('http500_after_commit', { stored: false });
    await recovers();
  });

  test('a payment request whose connection is cut after the provider made the payment page ends with exactly one page', async () => {
    await faultUntilReset('cut_after_commit');
    await recovers();
  });

  test('a payment request that an intermediary answers with a 404 page ends with exactly one payment page', async () => {
    await faultUntilReset('json404_without_error');
    await recovers();
  });

  test('a payment request that the provider leaves unanswered until the timeout ends with exactly one payment page', async () => {
    // The order is placed before timeouts are shortened, because placing it calls the game.
    const order = await givenOrder(shop, buyer);
    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(250));
    await faultUntilReset('hang', { hangMs: 2_000 });
    await recovers({}, order);
    // Two attempts have to fit into the thirty seconds that a call of the shop may take.
    expect(Math.max(...timeout.mock.calls.map(([ms]) => ms))).toBeLessThan(15_000);
  });

  test('a payment page that is retried after a lost provider answer keeps the language of the first request', async () => {
    await faultUntilReset('cut_after_commit');
    await recovers({ 'accept-language': 'ja-JP' });

    await faultUntilReset('cut_after_commit');
    const order = await givenOrder(shop, buyer);
    await pay(shop, buyer, order, { 'accept-language': 'ko-KR' });
    await reset();
    const reply = await pay(shop, buyer, order, { 'accept-language': 'de-DE' });
    expect(await sessionsOf(shop, order)).toMatchObject([{ id: sessionOf(reply), locale: 'ko' }]);
  });

  // The provider replays a 500 for its idempotency key, so the page address is never learned.
  test('an order whose provider answers only HTTP 500 gets no second payment page until the first has expired, and can then be paid', async () => {
    await fault('http500_after_commit');
    const order = await givenOrder(shop, buyer);
    expect(await pay(shop, buyer, order)).toMatchObject({ code: 'PaymentUnconfirmed' });
    await eventually(async () => ((await recordsOf(shop.db, order)).attempts[0]?.checks ?? 0) >= 2);
    expect(await pay(shop, buyer, order)).toMatchObject({ code: 'PaymentUnconfirmed' });
    expect(await sessionsOf(shop, order)).toHaveLength(1);

    await letPageExpire(shop.db, order);
    await untilShown(shop, buyer, order, 'Unpaid');
    expect((await recordsOf(shop.db, order)).attempts).toMatchObject([{ state: 'closed' }]);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect(await chargesOf(shop, order)).toHaveLength(1);
  });

  test('an order that is paid on a payment page whose URL never reached the shop is delivered', async () => {
    await fault('http500_after_commit');
    const order = await givenOrder(shop, buyer);
    await pay(shop, buyer, order);
    const [session] = await sessionsOf(shop, order);
    await payAtProvider(shop, session?.id ?? '');
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect((await recordsOf(shop.db, order)).attempts).toMatchObject([
      { state: 'captured', psp_ref: session?.id },
    ]);
  });
});

test('an order whose payment the provider refuses stays open for another payment attempt', async () => {
  const order = await givenOrder(shop, buyer, { itemId: 'too_dear' });
  const refusal = { isSuccess: false, code: 'PaymentInitiationFailed' };
  expect(await pay(shop, buyer, order)).toMatchObject(refusal);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    status: 'Created',
    shown: 'Unpaid',
    timeline: [{ step: 'created' }, { step: 'payment_opened' }, { step: 'payment_declined' }],
  });

  expect(await pay(shop, buyer, order)).toMatchObject(refusal);
  const { attempts, order: row } = await recordsOf(shop.db, order);
  expect(attempts).toMatchObject([{ state: 'declined' }, { state: 'declined' }]);
  expect(row.state).toBe('created');
});

// Two requests with one idempotency key are answered differently only after another change, such as
// a new secret key in between. The open page must not be lost then.
test('a payment page stays open when the provider refuses a concurrent second request for the same payment', async () => {
  const order = await givenOrder(shop, buyer);
  const provider = await providerOf(shop.payments, 'stripe');
  const isAskedTwice = Promise.withResolvers<void>();
  const isOpened = Promise.withResolvers<void>();
  let calls = 0;
  const contradictory: PaymentProvider = {
    ...provider,
    createPayment: async (request) => {
      calls += 1;
      if (calls === 1) {
        await isAskedTwice.promise;
        return await provider.createPayment(request);
      }
      isAskedTwice.resolve();
      await isOpened.promise;
      return { outcome: 'rejected', code: 'api_key_expired' };
    },
  };
  const context = { ...shop.payments, providers: async () => new Map([['stripe', contradictory]]) };
  const input = { ...order, locale: 'en-US', payer: atDesk } as const;
  const [taken, refused] = [openPayment(context, input), openPayment(context, input)];
  await Promise.race([taken, refused]);
  isOpened.resolve();

  const results = await Promise.allSettled([taken, refused]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const { attempts, order: row } = await recordsOf(shop.db, order);
  expect(attempts).toMatchObject([{ state: 'open' }]);
  expect(row.state).toBe('paying');
});
