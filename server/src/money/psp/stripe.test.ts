import { randomUUID } from 'node:crypto';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionEvent, signed } from '../../../test/webhooks.ts';
import { log } from '../../platform/log.ts';
import type { PaymentProvider } from './psp.ts';
import {
  givenRequest,
  openAt,
  paymentAt,
  type StripeWorld,
  silences,
  startStripeWorld,
} from './test/stripe-world.ts';

let world: StripeWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startStripeWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.outsider.stop());

async function pageAt(pspRef: string) {
  const { sessions } = await world.records();
  return sessions.find(({ id }) => id === pspRef);
}

describe('opening a Stripe payment', () => {
  const create = 'POST /v1/checkout/sessions';

  test('the Stripe adapter creates checkout sessions for cards only, not for methods that settle days later', async () => {
    const { pspRef } = await world.givenPage();
    expect(await pageAt(pspRef)).toMatchObject({ allowed_payment_method_types: ['card'] });
  });

  test('the Stripe adapter creates a checkout session with exact amount, payment reference, return URL and expiry time', async () => {
    const { request, pspRef } = await world.givenPage();
    expect(await pageAt(pspRef)).toMatchObject({
      amount_total: 499,
      currency: 'usd',
      client_reference_id: request.reference.attemptId,
      metadata: request.reference,
      success_url: request.returnUrl,
      cancel_url: request.returnUrl,
      expires_at: Math.floor(request.expiresAt.getTime() / 1000),
    });
  });

  test('the Stripe adapter’s payment creation repeated with the same attempt id returns the same session', async () => {
    const { request, pspRef } = await world.givenPage();
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  });

  test('the Stripe adapter reports a rejected payment creation with Stripe’s error code, and one with a bad API key as refused key', async () => {
    const dear = givenRequest({ money: { amountMinor: 100_000_000n, currency: 'USD' } });
    expect(await provider.createPayment(dear)).toEqual({
      outcome: 'rejected',
      isKeyRefused: false,
      code: 'amount_too_large',
    });
    const cheap = givenRequest({ money: { amountMinor: 49n, currency: 'USD' } });
    expect(await provider.createPayment(cheap)).toEqual({
      outcome: 'rejected',
      isKeyRefused: false,
      code: 'amount_too_small',
    });
    const stranger = openAt(world.outsider.url, 'sk_wrong');
    expect(await stranger.createPayment(givenRequest())).toMatchObject({
      outcome: 'rejected',
      isKeyRefused: true,
    });
  });

  test.each(silences)(
    'the Stripe adapter reports a payment creation answered by %s as unknown',
    async (_what, kind, more) => {
      await world.fault(create, kind, more);
      expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the Stripe adapter reports a payment creation as unknown when the connection is refused or no answer comes within 12 seconds', async () => {
    const nowhere = openAt('http://127.0.0.1:1');
    expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });

    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(100));
    await world.fault(create, 'hang', { hangMs: 1_000, times: 2 });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenCalledWith(12_000);
  });

  test('the Stripe adapter reports a payment creation as unknown while the first request with its idempotency key is in progress', async () => {
    const request = givenRequest();
    await world.fault(create, 'hang');
    const before = await countRequests();
    const first = provider.createPayment(request);
    await expect.poll(countRequests).toBe(before + 1);

    expect(await provider.createPayment(request)).toMatchObject({
      outcome: 'unknown',
      cause: 'idempotency_key_in_use',
    });
    await world.outsider.tell('/__sandbox/release', {});
    expect(await first).toMatchObject({ outcome: 'created' });
  });

  test('the Stripe adapter reports a payment creation that reuses an idempotency key for another amount as unknown, not rejected', async () => {
    const { request } = await world.givenPage();
    const other = { ...request, money: { amountMinor: 500n, currency: 'USD' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('the Stripe adapter throws an error for a payment creation with an amount above the safe integer range', async () => {
    const money = { amountMinor: 9_007_199_254_740_993n, currency: 'USD' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('does not fit');
  });

  const words: [Locale, string][] = [
    ['en-US', 'en'],
    ['zh-CN', 'zh'],
    ['zh-HK', 'zh-HK'],
    ['zh-TW', 'zh-TW'],
    ['th-TH', 'th'],
    ['ko-KR', 'ko'],
    ['ja-JP', 'ja'],
    ['vi-VN', 'vi'],
    ['de-DE', 'de'],
  ];

  test('the Stripe adapter creates checkout sessions in each of the nine player locales', async () => {
    expect(words.map(([locale]) => locale).sort()).toEqual([...locales].sort());
    for (const [locale, expected] of words) {
      expect(await pageAt((await world.givenPage({ locale })).pspRef)).toMatchObject({
        locale: expected,
      });
    }
  });
});

describe('querying a Stripe payment', () => {
  const query = 'GET /v1/checkout/sessions/:id';

  test('the Stripe adapter reports a queried payment session as open, complete or closed, and a capture only if it is paid', async () => {
    const { request, pspRef } = await world.givenPage();
    const { reference } = request;
    const base = { outcome: 'ok', pspRef, reference };
    const nothing = { captures: [], refunds: [], disputes: [] };
    expect(await provider.queryPayment(paymentAt(pspRef))).toEqual({
      ...base,
      ...nothing,
      status: 'open',
    });

    await world.payPage(pspRef);
    expect(await provider.queryPayment(paymentAt(pspRef))).toEqual({
      ...base,
      ...nothing,
      status: 'complete',
      captures: [{ captureId: expect.stringMatching(/^pi_/), money: request.money }],
    });

    const other = await world.givenPage();
    await provider.closePayment(paymentAt(other.pspRef));
    expect(await provider.queryPayment(paymentAt(other.pspRef))).toMatchObject({
      status: 'closed',
      captures: [],
    });
  });

  test('the Stripe adapter reports a capture with the amount received, not the amount requested', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef, { amount: 7, currency: 'jpy' });
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
  });

  test.each(Object.keys(currencyDecimals) as CurrencyCode[])(
    'the Stripe adapter sends an amount in %s and reads it back without loss',
    async (currency) => {
      const { request, pspRef } = await world.givenPage({
        money: { amountMinor: 12_345n, currency },
      });
      expect(await pageAt(pspRef)).toMatchObject({
        amount_total: 12_345,
        currency: currency.toLowerCase(),
      });
      await world.payPage(pspRef);
      expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
        captures: [{ money: request.money }],
      });
    },
  );

  test('the Stripe adapter reports a query as unknown, not unpaid, for a capture in an unsupported currency', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef, { currency: 'gbp' });
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  });

  test('the Stripe adapter reports a queried payment session that does not exist as not_found', async () => {
    expect(await provider.queryPayment(paymentAt('cs_test_none'))).toEqual({
      outcome: 'not_found',
    });
  });

  test.each(silences)(
    'the Stripe adapter reports a payment query answered by %s as unknown',
    async (_what, kind, more) => {
      const { pspRef } = await world.givenPage();
      await world.fault(query, kind, more);
      expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    },
  );
});

describe('closing a Stripe payment', () => {
  const close = 'POST /v1/checkout/sessions/:id/expire';

  test('the Stripe adapter expires the session at Stripe when asked to close a payment, also when asked again', async () => {
    const { pspRef } = await world.givenPage();
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'closed' });
    expect(await pageAt(pspRef)).toMatchObject({ status: 'expired' });
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'closed' });
  });

  test('the Stripe adapter answers a request to close a paid session with already_paid', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef);
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'already_paid' });
  });

  test('the Stripe adapter answers a request to close a session that does not exist with not_found', async () => {
    expect(await provider.closePayment(paymentAt('cs_test_none'))).toEqual({
      outcome: 'not_found',
    });
  });

  test.each(silences)(
    'the Stripe adapter answers a request to close a payment with unknown when Stripe answers with %s',
    async (_what, kind, more) => {
      const { pspRef } = await world.givenPage();
      await world.fault(close, kind, more);
      expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'unknown' });
    },
  );
});

describe('Stripe webhooks', () => {
  const reference = { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() };
  const event = sessionEvent('cs_test_1', reference);

  test('the Stripe adapter reads session and payment reference from a session webhook', async () => {
    expect(await provider.parseWebhook(signed(event))).toEqual({
      ok: true,
      events: [{ eventId: event.id, subject: { pspRef: 'cs_test_1', reference } }],
    });
  });

  test.each<[string, object]>([
    ['a payment intent', { object: 'payment_intent', id: 'pi_1', metadata: reference }],
    ['a charge', { object: 'charge', payment_intent: 'pi_1', metadata: reference }],
    ['a refund', { object: 'refund', id: 're_1', payment_intent: 'pi_1' }],
    ['a dispute', { object: 'dispute', id: 'du_1', payment_intent: 'pi_1' }],
    [
      'a dispute with an expanded payment intent',
      { object: 'dispute', payment_intent: { id: 'pi_1' } },
    ],
  ])('the Stripe adapter reads the capture from a webhook about %s', async (_what, object) => {
    expect(await provider.parseWebhook(signed({ ...event, data: { object } }))).toEqual({
      ok: true,
      events: [{ eventId: event.id, subject: { captureId: 'pi_1' } }],
    });
  });

  test('the Stripe adapter finds the payment of every webhook that Stripe sends about a payment, its refund and its dispute', async () => {
    const { captureId, pspRef, reference, refundRequest } = await world.givenPayment();
    await provider.refund(refundRequest({ money: { amountMinor: 1n, currency: 'USD' } }));
    await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' });
    const { events } = await world.records();
    const ours = events.filter((one) => JSON.stringify(one).includes(captureId));
    const subjects = await Promise.all(
      ours.map(async (one) => {
        const parsed = await provider.parseWebhook(signed(one));
        return [one.type, parsed.ok ? parsed.events[0]?.subject : parsed.reason];
      }),
    );

    expect(Object.fromEntries(subjects)).toMatchObject({
      'checkout.session.completed': { pspRef, reference },
      'refund.created': { captureId },
      'charge.refunded': { captureId },
      'charge.dispute.created': { captureId },
      'charge.dispute.funds_withdrawn': { captureId },
    });
    expect(subjects.filter(([, subject]) => subject === null)).toEqual([]);
    expect(await provider.findCapture(captureId)).toEqual({ outcome: 'ok', reference });
  });

  test.each<[string, object]>([
    ['an event without an object type', withObject({})],
    ['an event about a payout', withObject({ object: 'payout', payment_intent: 'pi_1' })],
    ['a dispute without a payment intent', withObject({ object: 'dispute', payment_intent: null })],
    [
      'a refund with a malformed payment intent id',
      withObject({ object: 'refund', payment_intent: 'py_1' }),
    ],
    ['a payment intent with a malformed id', withIntent({ id: 'py_1' })],
    ['a payment intent without our metadata', withIntent({ metadata: {} })],
    [
      'a charge without our metadata',
      withObject({ object: 'charge', payment_intent: 'pi_1', metadata: {} }),
    ],
    ['a session without our metadata', withMetadata({})],
  ])(
    'the Stripe adapter accepts a genuine webhook that is not about a payment of the shop: %s',
    async (_what, other) => {
      expect(await provider.parseWebhook(signed(other))).toMatchObject({
        ok: true,
        events: [{ subject: null }],
      });
    },
  );

  test.each<[string, ReturnType<typeof signed>, string]>([
    ['signed with another secret', signed(event, { secret: 'whsec_no' }), 'bad_signature'],
    [
      'whose body was changed after signing',
      signed(event, { change: (body) => body.replace('4', '5') }),
      'bad_signature',
    ],
    ['signed more than five minutes ago', signed(event, { ageSeconds: 310 }), 'bad_signature'],
    ['signed a day in the future', signed(event, { ageSeconds: -86_400 }), 'stale'],
    ['whose body is not an event', signed({ id: 'none' }), 'malformed'],
  ])(
    'the Stripe adapter refuses a forged, stale or malformed webhook: a webhook %s',
    async (_what, raw, reason) => {
      expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
    },
  );

  test('the Stripe adapter accepts a webhook with either of two secrets during a rotation', async () => {
    for (const secret of ['whsec_test', 'whsec_next']) {
      expect(await provider.parseWebhook(signed(event, { secret }))).toMatchObject({ ok: true });
    }
  });

  function withMetadata(metadata: object) {
    return withObject({ ...event.data.object, metadata });
  }

  function withIntent(changes: object) {
    return withObject({ object: 'payment_intent', id: 'pi_1', metadata: reference, ...changes });
  }

  function withObject(object: object) {
    return { ...event, data: { object } };
  }
});

async function countRequests(): Promise<number> {
  return (await world.records()).requests;
}
