import { randomUUID } from 'node:crypto';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { cloneDatabase, type TestDatabase } from '../../test/database.ts';
import { sessionEvent, signed } from '../../test/webhooks.ts';
import { type Outsider, startOutsider } from '../../test/world.ts';
import { type Db, openDb } from '../platform/db.ts';
import { log } from '../platform/log.ts';
import type { PaymentProvider, PaymentRequest } from './psp.ts';
import { openStripe } from './stripe.ts';

let outsider: Outsider;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  outsider = await startOutsider('stripe', {
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
  });
  provider = openAt(outsider.url);
});
beforeEach(() => outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(() => outsider.stop());

const openAt = (apiBase: string, secretKey = 'sk_test') =>
  openStripe({ secretKey, webhookSecrets: ['whsec_test', 'whsec_next'], apiBase });

function givenRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    reference: { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() },
    money: { amountMinor: 499n, currency: 'USD' },
    description: '300 Lumen Shards',
    returnUrl: 'http://localhost/main/recharge/detail/1',
    expiresAt: new Date(Date.now() + 40 * 60_000),
    locale: 'en-US',
    ...changes,
  };
}

async function givenPage(changes: Partial<PaymentRequest> = {}) {
  const request = givenRequest(changes);
  const created = await provider.createPayment(request);
  if (created.outcome !== 'created') throw new Error(JSON.stringify(created));
  return { request, pspRef: created.pspRef };
}

const payPage = (pspRef: string, override: object = {}) =>
  outsider.tell(`/__sandbox/sessions/${pspRef}/pay`, override);

const fault = (match: string, kind: string, more: object = {}) =>
  outsider.tell('/__sandbox/faults', { match, kind, ...more });

const Page = z.looseObject({ id: z.string() });
async function pageAt(pspRef: string) {
  const { sessions } = z
    .object({ sessions: z.array(Page) })
    .parse(await outsider.ask('/__sandbox/records'));
  return sessions.find(({ id }) => id === pspRef);
}

const silences = [
  ['a 500 before', 'http500_before', {}],
  ['a 500 after', 'http500_after_commit', {}],
  ['a cut connection', 'cut_after_commit', { times: 2 }],
  ['a 404 page in JSON', 'json404_without_error', {}],
] as const;

describe('opening a payment', () => {
  const create = 'POST /v1/checkout/sessions';

  test('takes cards and nothing that settles days later', async () => {
    const { pspRef } = await givenPage();
    expect(await pageAt(pspRef)).toMatchObject({ allowed_payment_method_types: ['card'] });
  });

  test('makes a page over exactly this amount that carries our reference and closes in time', async () => {
    const { request, pspRef } = await givenPage();
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
    const { request, pspRef } = await givenPage();
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  });

  test('is rejected where the provider says why it made nothing', async () => {
    const dear = givenRequest({ money: { amountMinor: 100_000_000n, currency: 'USD' } });
    expect(await provider.createPayment(dear)).toEqual({
      outcome: 'rejected',
      code: 'amount_too_large',
    });
    const stranger = openAt(outsider.url, 'sk_wrong');
    expect(await stranger.createPayment(givenRequest())).toMatchObject({ outcome: 'rejected' });
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    await fault(create, kind, more);
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
  });

  test('is unknown when nobody listens, and when the answer does not come in time', async () => {
    const nowhere = openAt('http://127.0.0.1:1');
    expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });

    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(100));
    await fault(create, 'hang', { hangMs: 1_000, times: 2 });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenCalledWith(12_000);
  });

  test('is unknown while the same request is still being worked on', async () => {
    const request = givenRequest();
    await fault(create, 'hang', { hangMs: 3_000 });
    const before = await countRequests();
    const first = provider.createPayment(request);
    await vi.waitFor(async () => expect(await countRequests()).toBe(before + 1));

    expect(await provider.createPayment(request)).toMatchObject({
      outcome: 'unknown',
      cause: 'idempotency_key_in_use',
    });
    expect(await first).toMatchObject({ outcome: 'created' });
  });

  test('is unknown, not rejected, where our id stands for another request', async () => {
    const { request } = await givenPage();
    const other = { ...request, money: { amountMinor: 1n, currency: 'USD' } as const };
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
      expect(await pageAt((await givenPage({ locale })).pspRef)).toMatchObject({
        locale: expected,
      });
    }
  });
});

describe('asking about a payment', () => {
  const query = 'GET /v1/checkout/sessions/:id';

  test('open, paid and expired are told apart, and only paid has money', async () => {
    const { request, pspRef } = await givenPage();
    const { reference } = request;
    const base = { outcome: 'ok', pspRef, reference };
    expect(await provider.queryPayment(pspRef)).toEqual({ ...base, status: 'open', captures: [] });

    await payPage(pspRef);
    expect(await provider.queryPayment(pspRef)).toEqual({
      ...base,
      status: 'complete',
      captures: [{ captureId: expect.stringMatching(/^pi_/), money: request.money }],
    });

    const other = await givenPage();
    await provider.closePayment(other.pspRef);
    expect(await provider.queryPayment(other.pspRef)).toMatchObject({
      status: 'closed',
      captures: [],
    });
  });

  test('the money is what was received, not what was asked for', async () => {
    const { pspRef } = await givenPage();
    await payPage(pspRef, { amount: 7, currency: 'jpy' });
    expect(await provider.queryPayment(pspRef)).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
  });

  test.each(Object.keys(currencyDecimals) as CurrencyCode[])(
    'every unit of %s that was asked for is every unit that comes back',
    async (currency) => {
      const { request, pspRef } = await givenPage({ money: { amountMinor: 12_345n, currency } });
      expect(await pageAt(pspRef)).toMatchObject({
        amount_total: 12_345,
        currency: currency.toLowerCase(),
      });
      await payPage(pspRef);
      expect(await provider.queryPayment(pspRef)).toMatchObject({
        captures: [{ money: request.money }],
      });
    },
  );

  test('money in a currency we do not know is unknown, not nothing', async () => {
    const { pspRef } = await givenPage();
    await payPage(pspRef, { currency: 'gbp' });
    expect(await provider.queryPayment(pspRef)).toMatchObject({ outcome: 'unknown' });
  });

  test('a payment that is not there is not found', async () => {
    expect(await provider.queryPayment('cs_test_none')).toEqual({ outcome: 'not_found' });
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    const { pspRef } = await givenPage();
    await fault(query, kind, more);
    expect(await provider.queryPayment(pspRef)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('closing a payment', () => {
  const close = 'POST /v1/checkout/sessions/:id/expire';

  test('closes the page, and a closed one stays closed', async () => {
    const { pspRef } = await givenPage();
    expect(await provider.closePayment(pspRef)).toEqual({ outcome: 'closed' });
    expect(await pageAt(pspRef)).toMatchObject({ status: 'expired' });
    expect(await provider.closePayment(pspRef)).toEqual({ outcome: 'closed' });
  });

  test('a page that was paid says so', async () => {
    const { pspRef } = await givenPage();
    await payPage(pspRef);
    expect(await provider.closePayment(pspRef)).toEqual({ outcome: 'already_paid' });
  });

  test('a page that is not there is not found', async () => {
    expect(await provider.closePayment('cs_test_none')).toEqual({ outcome: 'not_found' });
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    const { pspRef } = await givenPage();
    await fault(close, kind, more);
    expect(await provider.closePayment(pspRef)).toEqual({ outcome: 'unknown' });
  });
});

describe('reading a webhook', () => {
  const reference = { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() };
  const event = sessionEvent('cs_test_1', reference);

  test('tells whose payment it is about', () => {
    expect(provider.parseWebhook(signed(event))).toEqual({
      ok: true,
      eventId: event.id,
      subject: { pspRef: 'cs_test_1', reference },
    });
  });

  test.each([
    ['an event of another kind', { ...event, type: 'charge.refunded', data: { object: {} } }],
    ['a page that is not ours', withMetadata({})],
  ])('%s is genuine and nobody is meant', (_what, other) => {
    expect(provider.parseWebhook(signed(other))).toMatchObject({ ok: true, subject: null });
  });

  test.each<[string, ReturnType<typeof signed>, string]>([
    ['another secret', signed(event, { secret: 'whsec_no' }), 'bad_signature'],
    ['another body', signed(event, { change: (body) => body.replace('4', '5') }), 'bad_signature'],
    ['an old signature', signed(event, { ageSeconds: 310 }), 'bad_signature'],
    ['a signature of tomorrow', signed(event, { ageSeconds: -86_400 }), 'stale'],
    ['no event at all', signed({ id: 'none' }), 'malformed'],
  ])('%s is refused', (_what, raw, reason) => {
    expect(provider.parseWebhook(raw)).toEqual({ ok: false, reason });
  });

  test('both secrets are good while they are being changed', () => {
    for (const secret of ['whsec_test', 'whsec_next']) {
      expect(provider.parseWebhook(signed(event, { secret }))).toMatchObject({ ok: true });
    }
  });

  function withMetadata(metadata: object) {
    return { ...event, data: { object: { ...event.data.object, metadata } } };
  }
});

describe('inside a transaction', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await cloneDatabase();
    db = openDb({ url: database.url, connectionsMax: 1, applicationName: 'test' });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  test('every call is a bug that is heard of, not a provider that is silent', async () => {
    const calls: (() => Promise<unknown>)[] = [
      () => provider.createPayment(givenRequest()),
      () => provider.queryPayment('cs_test_1'),
      () => provider.closePayment('cs_test_1'),
    ];
    for (const call of calls) {
      await expect(db.transaction(() => call())).rejects.toThrow('inside a transaction');
    }
  });
});

async function countRequests(): Promise<number> {
  const records = await outsider.ask('/__sandbox/records?limit=1');
  return z.object({ requests: z.int() }).parse(records).requests;
}
