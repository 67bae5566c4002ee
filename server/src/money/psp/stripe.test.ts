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

describe('opening a payment', () => {
  const create = 'POST /v1/checkout/sessions';

  test('takes cards and nothing that settles days later', async () => {
    const { pspRef } = await world.givenPage();
    expect(await pageAt(pspRef)).toMatchObject({ allowed_payment_method_types: ['card'] });
  });

  test('makes a page over exactly this amount that carries our reference and closes in time', async () => {
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

  test('again with the same id is the same page', async () => {
    const { request, pspRef } = await world.givenPage();
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  });

  test('is rejected where the provider says why it made nothing', async () => {
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

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    await world.fault(create, kind, more);
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
  });

  test('is unknown when nobody listens, and when the answer does not come in time', async () => {
    const nowhere = openAt('http://127.0.0.1:1');
    expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });

    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(100));
    await world.fault(create, 'hang', { hangMs: 1_000, times: 2 });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenCalledWith(12_000);
  });

  test('is unknown while the same request is still being worked on', async () => {
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

  test('is unknown, not rejected, where our id stands for another request', async () => {
    const { request } = await world.givenPage();
    const other = { ...request, money: { amountMinor: 500n, currency: 'USD' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('refuses an amount that the wire would round', async () => {
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

  test('shows the page in each of our languages', async () => {
    expect(words.map(([locale]) => locale).sort()).toEqual([...locales].sort());
    for (const [locale, expected] of words) {
      expect(await pageAt((await world.givenPage({ locale })).pspRef)).toMatchObject({
        locale: expected,
      });
    }
  });
});

describe('asking about a payment', () => {
  const query = 'GET /v1/checkout/sessions/:id';

  test('open, paid and expired are told apart, and only paid has money', async () => {
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

  test('the money is what was received, not what was asked for', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef, { amount: 7, currency: 'jpy' });
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
  });

  test.each(Object.keys(currencyDecimals) as CurrencyCode[])(
    'every unit of %s that was asked for is every unit that comes back',
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

  test('money in a currency we do not know is unknown, not nothing', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef, { currency: 'gbp' });
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  });

  test('a payment that is not there is not found', async () => {
    expect(await provider.queryPayment(paymentAt('cs_test_none'))).toEqual({
      outcome: 'not_found',
    });
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    const { pspRef } = await world.givenPage();
    await world.fault(query, kind, more);
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  });
});

describe('closing a payment', () => {
  const close = 'POST /v1/checkout/sessions/:id/expire';

  test('closes the page, and a closed one stays closed', async () => {
    const { pspRef } = await world.givenPage();
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'closed' });
    expect(await pageAt(pspRef)).toMatchObject({ status: 'expired' });
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'closed' });
  });

  test('a page that was paid says so', async () => {
    const { pspRef } = await world.givenPage();
    await world.payPage(pspRef);
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'already_paid' });
  });

  test('a page that is not there is not found', async () => {
    expect(await provider.closePayment(paymentAt('cs_test_none'))).toEqual({
      outcome: 'not_found',
    });
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    const { pspRef } = await world.givenPage();
    await world.fault(close, kind, more);
    expect(await provider.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'unknown' });
  });
});

describe('reading a webhook', () => {
  const reference = { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() };
  const event = sessionEvent('cs_test_1', reference);

  test('tells whose payment it is about', async () => {
    expect(await provider.parseWebhook(signed(event))).toEqual({
      ok: true,
      events: [{ eventId: event.id, subject: { pspRef: 'cs_test_1', reference } }],
    });
  });

  test.each<[string, object]>([
    ['a payment', { object: 'payment_intent', id: 'pi_1', metadata: reference }],
    ['what was taken', { object: 'charge', payment_intent: 'pi_1', metadata: reference }],
    ['what went back', { object: 'refund', id: 're_1', payment_intent: 'pi_1' }],
    ['a dispute', { object: 'dispute', id: 'du_1', payment_intent: 'pi_1' }],
    ['a dispute that tells all', { object: 'dispute', payment_intent: { id: 'pi_1' } }],
  ])('an event about %s names the capture', async (_what, object) => {
    expect(await provider.parseWebhook(signed({ ...event, data: { object } }))).toEqual({
      ok: true,
      events: [{ eventId: event.id, subject: { captureId: 'pi_1' } }],
    });
  });

  test('everything that happens to a payment is told of, and each event finds it', async () => {
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
    ['an event about nothing', withObject({})],
    ['an event about something else', withObject({ object: 'payout', payment_intent: 'pi_1' })],
    ['money without a payment', withObject({ object: 'dispute', payment_intent: null })],
    ['money of a strange payment', withObject({ object: 'refund', payment_intent: 'py_1' })],
    ['a payment of a strange name', withIntent({ id: 'py_1' })],
    ['a payment that is not ours', withIntent({ metadata: {} })],
    [
      'money that is not ours',
      withObject({ object: 'charge', payment_intent: 'pi_1', metadata: {} }),
    ],
    ['a page that is not ours', withMetadata({})],
  ])('%s is genuine and nobody is meant', async (_what, other) => {
    expect(await provider.parseWebhook(signed(other))).toMatchObject({
      ok: true,
      events: [{ subject: null }],
    });
  });

  test.each<[string, ReturnType<typeof signed>, string]>([
    ['another secret', signed(event, { secret: 'whsec_no' }), 'bad_signature'],
    ['another body', signed(event, { change: (body) => body.replace('4', '5') }), 'bad_signature'],
    ['an old signature', signed(event, { ageSeconds: 310 }), 'bad_signature'],
    ['a signature of tomorrow', signed(event, { ageSeconds: -86_400 }), 'stale'],
    ['no event at all', signed({ id: 'none' }), 'malformed'],
  ])('%s is refused', async (_what, raw, reason) => {
    expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
  });

  test('both secrets are good while they are being changed', async () => {
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
