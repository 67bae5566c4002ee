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

  test('a Stripe checkout session offers cards only, no method that settles days later', async () => {
    const { pspRef } = await world.givenPage();
    expect(await pageAt(pspRef)).toMatchObject({ allowed_payment_method_types: ['card'] });
  });

  test('a Stripe checkout session has the exact amount, the payment reference, the return URL and the expiry time', async () => {
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

  test('a repeated create with the same attempt id returns the same Stripe session', async () => {
    const { request, pspRef } = await world.givenPage();
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  });

  test('a Stripe create is rejected with Stripe’s error code, and a bad API key is reported as a refused key', async () => {
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

  test.each(silences)('a Stripe create answered by %s is unknown', async (_what, kind, more) => {
    await world.fault(create, kind, more);
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
  });

  test('a Stripe create is unknown when the connection is refused or no answer comes within 12 seconds', async () => {
    const nowhere = openAt('http://127.0.0.1:1');
    expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });

    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(100));
    await world.fault(create, 'hang', { hangMs: 1_000, times: 2 });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenCalledWith(12_000);
  });

  test('a Stripe create is unknown while the first request with its idempotency key is in progress', async () => {
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

  test('a Stripe create that reuses an idempotency key for another amount is unknown, not rejected', async () => {
    const { request } = await world.givenPage();
    const other = { ...request, money: { amountMinor: 500n, currency: 'USD' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('a Stripe create throws on an amount above the safe integer range', async () => {
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

  test('a Stripe checkout session uses the player’s locale for each of the nine locales', async () => {
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

  test('a Stripe query distinguishes open, paid and expired sessions; only a paid session has a capture', async () => {
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

  test('a Stripe capture has the amount received, not the amount requested', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef, { amount: 7, currency: 'jpy' });
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
  });

  test.each(Object.keys(currencyDecimals) as CurrencyCode[])(
    'an amount in %s is sent to Stripe and read back without loss',
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

  test('a Stripe capture in an unsupported currency makes the query unknown instead of unpaid', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef, { currency: 'gbp' });
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  });

  test('a Stripe query for a session that does not exist returns not_found', async () => {
    expect(await provider.queryPayment(paymentAt('cs_test_none'))).toEqual({
      outcome: 'not_found',
    });
  });

  test.each(silences)('a Stripe query answered by %s is unknown', async (_what, kind, more) => {
    const { pspRef } = await world.givenPage();
    await world.fault(query, kind, more);
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  });
});

describe('closing a Stripe payment', () => {
  const close = 'POST /v1/checkout/sessions/:id/expire';

  test('a Stripe session that is closed expires, and a second close is idempotent', async () => {
    const { pspRef } = await world.givenPage();
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'closed' });
    expect(await pageAt(pspRef)).toMatchObject({ status: 'expired' });
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'closed' });
  });

  test('a close of a paid Stripe session returns already_paid', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef);
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'already_paid' });
  });

  test('a close of a Stripe session that does not exist returns not_found', async () => {
    expect(await provider.closePayment(paymentAt('cs_test_none'))).toEqual({
      outcome: 'not_found',
    });
  });

  test.each(silences)(
    'a close of a Stripe session answered by %s is unknown',
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

  test('a Stripe session event names the session and the payment reference', async () => {
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
  ])('a Stripe event about %s names the capture', async (_what, object) => {
    expect(await provider.parseWebhook(signed({ ...event, data: { object } }))).toEqual({
      ok: true,
      events: [{ eventId: event.id, subject: { captureId: 'pi_1' } }],
    });
  });

  test('every event that Stripe sends about a payment, refund or dispute resolves to its payment', async () => {
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
  ])('%s is accepted as a genuine Stripe webhook without a subject', async (_what, other) => {
    expect(await provider.parseWebhook(signed(other))).toMatchObject({
      ok: true,
      events: [{ subject: null }],
    });
  });

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
  ])('a Stripe webhook %s is refused', async (_what, raw, reason) => {
    expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
  });

  test('a Stripe webhook is accepted with either of two secrets during a rotation', async () => {
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
