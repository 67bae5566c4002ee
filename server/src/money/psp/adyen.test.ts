import { currencyDecimals } from '@pointgate/contract/money.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '../../platform/log.ts';
import type { PaymentProvider } from './psp.ts';
import {
  type AdyenWorld,
  givenReference,
  givenRequest,
  merchantAccount,
  startAdyenWorld,
} from './test/adyen-world.ts';

let world: AdyenWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startAdyenWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.outsider.stop());

test('the Adyen adapter creates a payment, refunds it in parts and reads each step and its dispute from webhooks', async () => {
  const { payment, request, captureId, refundRequest } = await world.givenPayment();
  const { reference, money } = request;
  const told = await world.news(captureId);
  expect(told.map(({ eventId }) => eventId)).toEqual([
    expect.stringMatching(/^CAPTURE:\w{16}:true$/),
    `AUTHORISATION:${captureId}:true`,
  ]);
  for (const { subject } of told) {
    expect(subject).toMatchObject({ reference, told: { captures: [{ captureId, money }] } });
  }
  // Adyen offers no query for a payment: its state is known from webhooks only.
  expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  expect(await provider.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });

  for (const amountMinor of [100n, 399n]) {
    const asked = refundRequest({ money: { amountMinor, currency: 'USD' } });
    const { refundId } = asked;
    expect(await provider.refund(asked)).toEqual({ outcome: 'accepted', state: 'pending' });
    expect(await provider.queryRefund(asked)).toMatchObject({
      refund: { refundId, isOurs: true, captureId, state: 'pending' },
    });
    const [latest] = await world.news(captureId);
    expect(latest?.subject).toMatchObject({
      captureId,
      told: { refunds: [{ refundId, isOurs: true, state: 'done', money: { amountMinor } }] },
    });
  }

  const other = await world.givenPayment();
  const stage = 'warning';
  const opened = await world.outsider.tell('/__sandbox/disputes', {
    paymentIntent: other.captureId,
    stage,
  });
  const { id: disputeId } = Object(opened);
  for (const [next, heard] of [
    ['open', 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
  ]) {
    await world.outsider.tell(`/__sandbox/disputes/${disputeId}`, { stage: next });
    const [latest] = await world.news(other.captureId);
    expect(latest?.subject).toMatchObject({
      reference: other.request.reference,
      told: { disputes: [{ disputeId, captureId: other.captureId, stage: heard }] },
    });
  }
});

describe('opening an Adyen payment', () => {
  test('the Adyen adapter creates a session with amount, references, expiry and locale, and redirects to its page', async () => {
    const { request, payment, action } = await world.givenSession({ locale: 'de-DE' });
    if (action.kind !== 'redirect') throw new Error(action.kind);
    expect((await fetch(action.url)).status).toBe(200);
    const { sessions } = await world.records();
    expect(sessions.find(({ id }) => id === payment.pspRef)).toMatchObject({
      payment_id: request.reference.paymentId,
      status: 'active',
      asked: {
        merchantAccount,
        amount: { value: 499, currency: 'USD' },
        reference: givenReference(request.reference),
        merchantOrderReference: request.reference.paymentId,
        returnUrl: request.returnUrl,
        expiresAt: request.expiresAt.toISOString(),
        mode: 'hosted',
        allowedPaymentMethods: ['scheme'],
        captureDelayHours: 0,
        shopperLocale: 'de-DE',
        shopperIP: '127.0.0.1',
      },
    });
  });

  test('the Adyen adapter’s payment creation repeated with the same attempt id returns the same session', async () => {
    const { request, payment, action } = await world.givenSession();
    expect(await provider.createPayment(request)).toEqual({
      outcome: 'created',
      pspRef: payment.pspRef,
      action,
    });
  });

  test('the Adyen adapter reports a payment creation that reuses an idempotency key for another amount as unknown, not rejected', async () => {
    const { request } = await world.givenSession();
    const other = { ...request, money: { amountMinor: 1n, currency: 'USD' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('the Adyen adapter reports a payment creation with an invalid field as rejected with Adyen’s error code', async () => {
    const over = givenRequest({ expiresAt: new Date(0) });
    expect(await provider.createPayment(over)).toEqual({ outcome: 'rejected', code: '14_030' });
  });

  test('the Adyen adapter reports a payment creation with a bad API key or merchant account as unknown, and the key as refused', async () => {
    for (const changes of [{ apiKey: 'wrong' }, { merchantAccount: 'Other' }]) {
      const stranger = world.open(changes);
      expect(await stranger.createPayment(givenRequest())).toMatchObject({
        outcome: 'unknown',
        cause: expect.stringContaining('HTTP 403 security'),
        isKeyRefused: true,
      });
    }
  });

  test('the Adyen adapter uses the same number of decimals per currency as the shop', async () => {
    const { currencies } = provider.capabilities;
    const decimals = Object.entries(currencies).map(([code, rule]) => [code, rule.decimals]);
    expect(Object.fromEntries(decimals)).toEqual(currencyDecimals);
    for (const currency of ['JPY', 'KRW', 'VND'] as const) {
      const { captureId } = await world.givenPayment({ money: { amountMinor: 5000n, currency } });
      const [latest] = await world.news(captureId);
      expect(latest?.subject).toMatchObject({
        told: { captures: [{ money: { amountMinor: 5000n, currency } }] },
      });
    }
  });

  test('the Adyen adapter throws an error for a payment creation with an amount above the safe integer range', async () => {
    const money = { amountMinor: 9_007_199_254_740_993n, currency: 'USD' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('does not fit');
  });
});

describe('Adyen payment webhooks', () => {
  test('the Adyen adapter reports the amount paid from a webhook, not the amount requested', async () => {
    const { payment } = await world.givenSession();
    await world.pay(payment.pspRef, { amount: 7, currency: 'JPY' });
    const { charges } = await world.records();
    const [latest] = await world.news(charges[0]?.id ?? '');
    expect(latest?.subject).toMatchObject({
      told: { captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }] },
    });
  });

  test('the Adyen adapter finds no payment in a webhook about a declined card, and the session can still be paid', async () => {
    const { payment } = await world.givenSession();
    await world.outsider.tell(`/__sandbox/sessions/${payment.pspRef}/decline`, {});
    const { events } = await world.records();
    const declined = events[0]?.data.object;
    expect(declined).toMatchObject({ eventCode: 'AUTHORISATION', success: 'false' });
    const [news] = await world.news(declined?.pspReference ?? '');
    expect(news?.subject).toBeNull();
    await world.pay(payment.pspRef);
  });

  test('the Adyen adapter still reports a payment made after its session expired', async () => {
    const { payment, request } = await world.givenSession();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 7200 });
    await expect(world.pay(payment.pspRef)).rejects.toThrow('expired');
    await world.pay(payment.pspRef, { late: true });
    const { charges } = await world.records();
    const [latest] = await world.news(charges[0]?.id ?? '');
    expect(latest?.subject).toMatchObject({ reference: request.reference });
  });

  test('the Adyen adapter answers a request to close a payment with not_found, because Adyen sessions can only expire', async () => {
    const { payment } = await world.givenSession();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'not_found' });
  });

  test.each(['CAPTURE_FAILED', 'CANCELLATION'])(
    'the Adyen adapter reports the captured money as refunded after the sandbox sends the event %s',
    async (type) => {
      const { captureId, request } = await world.givenPayment();
      await world.outsider.tell(`/__sandbox/charges/${captureId}/events`, { type });
      const [latest] = await world.news(captureId);
      expect(latest?.subject).toMatchObject({
        told: { refunds: [{ isOurs: false, captureId, money: request.money, state: 'done' }] },
      });
    },
  );
});

describe('Adyen refunds', () => {
  const path = 'POST /v72/payments/:id/refunds';

  test('an Adyen refund requested three times through the adapter with the same refund id is made once', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const asked = refundRequest({ money: { amountMinor: 100n, currency: 'USD' }, reason: 'fraud' });
    for (let times = 0; times < 3; times += 1) {
      expect(await provider.refund(asked)).toEqual({ outcome: 'accepted', state: 'pending' });
    }
    const { refunds } = await world.records();
    expect(refunds.filter(({ charge }) => charge === captureId)).toMatchObject([
      { reference: asked.refundId, amount: 100, reason: 'FRAUD' },
    ]);
  });

  test.each([
    ['http500_before', {}],
    ['http500_after_commit', {}],
    ['cut_before', {}],
    ['cut_after_commit', {}],
    ['json404_without_error', {}],
    ['too_many', {}],
    ['in_progress', {}],
    ['truncated', {}],
    ['empty_200', {}],
    ['html_200', {}],
    ['other_answer', { status: 201, body: '{"status":"received"}' }],
    ['other_answer', { status: 422, body: '{"message":"no"}' }],
  ])(
    'the Adyen adapter reports a refund answered by %s %o as unknown, and its retry makes one refund',
    async (kind, more) => {
      const { captureId, refundRequest } = await world.givenPayment();
      const asked = refundRequest();
      await world.fault(path, kind, more);
      expect(await provider.refund(asked)).toMatchObject({ outcome: 'unknown' });
      expect(await provider.refund(asked)).toMatchObject({ outcome: 'accepted' });
      const { refunds } = await world.records();
      expect(refunds.filter(({ charge }) => charge === captureId)).toHaveLength(1);
    },
  );

  test.each([
    { paymentPspReference: '0000000000000000' },
    { reference: 'other' },
    { merchantAccount: 'Other' },
    { amount: { value: 1, currency: 'USD' } },
    { amount: { value: 499, currency: 'EUR' } },
    { status: 'done' },
    { pspReference: '' },
  ])(
    'the Adyen adapter reports a refund as unknown when Adyen’s answer differs from the refund request: the answer has %o',
    async (changes) => {
      const { captureId, refundRequest } = await world.givenPayment();
      const asked = refundRequest();
      const genuine = {
        status: 'received',
        merchantAccount,
        paymentPspReference: captureId,
        pspReference: 'B3HVNW4VPN9D7NZ2',
        reference: asked.refundId,
        amount: { value: 499, currency: 'USD' },
      };
      const body = JSON.stringify({ ...genuine, ...changes });
      await world.fault(path, 'other_answer', { status: 201, body });
      expect(await provider.refund(asked)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the Adyen adapter reports a refund of a payment that does not exist as rejected', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest({ captureId: '0000000000000000' });
    expect(await provider.refund(asked)).toEqual({ outcome: 'rejected', code: '167' });
  });

  test('the Adyen adapter reports a refund above the remaining amount as pending and then as failed', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    await provider.refund(refundRequest());
    const asked = refundRequest();
    expect(await provider.refund(asked)).toMatchObject({ outcome: 'accepted', state: 'pending' });
    const [latest] = await world.news(captureId);
    expect(latest?.subject).toMatchObject({
      told: { refunds: [{ refundId: asked.refundId, state: 'failed' }] },
    });
  });

  test('the Adyen adapter reports a refund that the bank sends back as done and then as returned', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const asked = refundRequest();
    await provider.refund(asked);
    await world.outsider.tell(`/__sandbox/refunds/${asked.refundId}/settle`, { status: 'failed' });
    const states = (await world.news(captureId)).map(
      ({ subject }) => subject?.told?.refunds[0]?.state,
    );
    expect(states.slice(0, 2)).toEqual(['returned', 'done']);
  });

  test('the Adyen adapter reports a refund made outside the shop with its payment reference', async () => {
    const { captureId, request } = await world.givenPayment();
    await world.outsider.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 5 });
    const [latest] = await world.news(captureId);
    const { refunds } = await world.records();
    expect(latest?.subject).toMatchObject({
      reference: request.reference,
      told: { refunds: [{ refundId: refunds[0]?.id, isOurs: false, money: { amountMinor: 5n } }] },
    });
  });
});

describe('Adyen settlement', () => {
  const today = () => {
    const from = new Date(new Date().toISOString().slice(0, 10));
    return { from, until: new Date(from.getTime() + 86_400_000), reportId: null };
  };

  test('the Adyen adapter’s settlement has captures, fees, refunds, disputes, dispute fees and payouts', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const asked = refundRequest({ money: { amountMinor: 100n, currency: 'USD' } });
    await provider.refund(asked);
    const opened = await world.outsider.tell('/__sandbox/disputes', {
      paymentIntent: captureId,
      stage: 'open',
      amount: 399,
    });
    const { id: disputeId } = Object(opened);
    await world.outsider.tell(`/__sandbox/disputes/${disputeId}`, { stage: 'won' });
    const payout = Object(await world.outsider.tell('/__sandbox/payouts', { currency: 'USD' }));
    await world.outsider.tell(`/__sandbox/payouts/${payout.id}/return`, {});
    await world.outsider.tell('/__sandbox/settlement', { isReady: true });
    const books = await provider.settlement(today());
    if (books.outcome !== 'ok') throw new Error(JSON.stringify(books));
    const ours = books.lines.filter((line) => line.captureId === captureId);
    const currency = 'USD';
    expect(ours).toMatchObject([
      { kind: 'capture', subjectId: captureId, money: { amountMinor: 499n, currency } },
      { kind: 'fee', money: { amountMinor: -5n, currency } },
      { kind: 'refund', subjectId: asked.refundId, money: { amountMinor: -100n, currency } },
      { kind: 'dispute', subjectId: disputeId, money: { amountMinor: -399n, currency } },
      { kind: 'dispute_fee', money: { amountMinor: -750n, currency } },
      { kind: 'dispute', subjectId: disputeId, money: { amountMinor: 399n, currency } },
    ]);
    const paidOut = BigInt(payout.amount);
    expect(books.lines.filter(({ kind }) => kind === 'payout')).toMatchObject([
      { captureId: null, money: { amountMinor: -paidOut, currency } },
      { captureId: null, money: { amountMinor: paidOut, currency } },
    ]);
    expect(new Set(books.lines.map(({ lineId }) => lineId)).size).toBe(books.lines.length);
  });

  test('the Adyen adapter’s settlement is not_ready until the day is over and can be requested again', async () => {
    const period = today();
    const first = await provider.settlement(period);
    if (first.outcome !== 'not_ready') throw new Error(first.outcome);
    expect(await provider.settlement({ ...period, reportId: first.reportId })).toEqual(first);
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 86_400 });
    expect(await provider.settlement(period)).toMatchObject({ outcome: 'ok' });
  });

  test('the Adyen adapter reports a settlement as unknown with a bad API key or a refused connection', async () => {
    await world.outsider.tell('/__sandbox/settlement', { isReady: true });
    for (const changes of [{ apiKey: 'wrong' }, { apiBase: 'http://127.0.0.1:1' }]) {
      expect(await world.open(changes).settlement(today())).toMatchObject({ outcome: 'unknown' });
    }
  });

  test('the Adyen adapter returns exactly the lines of Adyen’s settlement report, even if lines are missing, altered or invented there', async () => {
    const [left, altered] = [await world.givenPayment(), await world.givenPayment()];
    const { charges } = await world.records();
    const capture = charges.find(({ id }) => id === altered.captureId)?.capture;
    await world.outsider.tell('/__sandbox/settlement', {
      isReady: true,
      omit: [left.captureId],
      alter: { [String(capture)]: 1 },
      invent: [{ type: 'Settled', pspReference: 'X'.repeat(16), amount: 5, currency: 'EUR' }],
    });
    const books = await provider.settlement(today());
    if (books.outcome !== 'ok') throw new Error(JSON.stringify(books));
    const found = (id: string) => books.lines.find((line) => line.captureId === id)?.money;
    expect(found(left.captureId)).toBeUndefined();
    expect(found(altered.captureId)).toEqual({ amountMinor: 1n, currency: 'USD' });
    expect(found('X'.repeat(16))).toEqual({ amountMinor: 5n, currency: 'EUR' });
  });
});

test('the Adyen adapter names its provider adyen, answers webhooks with [accepted] or an error status, and supports disputes', () => {
  expect(provider.name).toBe('adyen');
  expect(provider.signedHeaders).toEqual([]);
  expect(provider.webhookAnswers.received).toMatchObject({ status: 200, body: '[accepted]' });
  expect(provider.webhookAnswers.refused.status).toBeGreaterThanOrEqual(400);
  expect(provider.capabilities).toMatchObject({ captures: 'by_itself', disputes: true });
});
