import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import { type PaypalWorld, silences, startPaypalWorld } from '../test/paypal-world.ts';

let world: PaypalWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startPaypalWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const dollars = (amountMinor: bigint) => ({ amountMinor, currency: 'USD' }) as const;
const send = 'POST /v2/payments/captures/:id/refund';
const look = 'GET /v2/checkout/orders/:id';

async function refundsOf(captureId: string) {
  const { refunds } = await world.records();
  return refunds.filter(({ payment_intent }) => payment_intent === captureId);
}

describe('PayPal refunds', () => {
  test('the PayPal adapter refunds a payment in two parts under the shop’s refund ids and reports any more as rejected', async () => {
    const { captureId, payment, refundRequest } = await world.givenCapture();
    const [part, rest] = [dollars(100n), dollars(399n)].map((money) => refundRequest({ money }));
    if (part === undefined || rest === undefined) throw new Error('there are no two requests');
    expect(await provider.refund(part)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await provider.refund(refundRequest({ money: dollars(400n) }))).toEqual({
      outcome: 'rejected',
      code: 'REFUND_AMOUNT_EXCEEDED',
    });
    expect(await provider.refund(rest)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await provider.refund(refundRequest({ money: dollars(1n) }))).toEqual({
      outcome: 'rejected',
      code: 'CAPTURE_FULLY_REFUNDED',
    });
    const state = 'done';
    expect(await provider.queryPayment(payment)).toMatchObject({
      status: 'complete',
      refunds: [
        { refundId: part.refundId, isOurs: true, captureId, money: part.money, state },
        { refundId: rest.refundId, isOurs: true, captureId, money: rest.money, state },
      ],
    });
    expect(await provider.queryRefund(rest)).toMatchObject({
      outcome: 'ok',
      refund: { refundId: rest.refundId, state },
    });
    expect(await provider.queryRefund(refundRequest())).toEqual({ outcome: 'not_found' });
  });

  test('a PayPal refund that the adapter repeats after its request id has expired is made once', async () => {
    const { captureId, refundRequest } = await world.givenCapture();
    const request = refundRequest({ money: dollars(100n) });
    await provider.refund(request);
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 46 * 24 * 3600 });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toHaveLength(1);
    const other = { ...request, money: dollars(200n) };
    expect(await provider.refund(other)).toMatchObject({ outcome: 'unknown' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('the PayPal adapter reports a refund in TWD as accepted in whole dollars and as rejected in fractions', async () => {
    const money = { amountMinor: 15_000n, currency: 'TWD' } as const;
    const { refundRequest } = await world.givenCapture({ money });
    const bad = refundRequest({ money: { amountMinor: 150n, currency: 'TWD' } });
    expect(await provider.refund(bad)).toMatchObject({ outcome: 'rejected' });
    const good = refundRequest({ money: { amountMinor: 5_000n, currency: 'TWD' } });
    expect(await provider.refund(good)).toEqual({ outcome: 'accepted', state: 'done' });
  });

  test.each([
    ['succeeded', 'done'],
    ['failed', 'returned'],
  ])(
    'the PayPal adapter reports a pending refund that has %s at PayPal as %s',
    async (status, state) => {
      const { captureId, refundRequest } = await world.givenCapture();
      const request = refundRequest();
      await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
      expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'pending' });
      const [made] = await refundsOf(captureId);
      await world.outsider.tell(`/__sandbox/refunds/${made?.id}/settle`, { status });
      expect(await provider.queryRefund(request)).toMatchObject({ refund: { state } });
    },
  );

  test('the PayPal adapter lists a refund made outside the shop with PayPal’s id', async () => {
    const { captureId, payment } = await world.givenCapture();
    await world.outsider.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 50 });
    const [made] = await refundsOf(captureId);
    expect(await provider.queryPayment(payment)).toMatchObject({
      refunds: [{ refundId: made?.id, isOurs: false, money: dollars(50n) }],
    });
  });

  test.each(silences)(
    'a PayPal refund answered by %s and retried through the adapter is made once',
    async (_what, kind, more) => {
      const { captureId, refundRequest } = await world.givenCapture();
      const request = refundRequest({ money: dollars(100n) });
      await world.fault(send, kind, more);
      const first = await provider.refund(request);
      expect(first.outcome).not.toBe('rejected');
      expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
      expect(await refundsOf(captureId)).toHaveLength(1);
    },
  );

  test.each<[string, object]>([
    ['another amount', { 'amount.value': '2.00' }],
    ['another refund id', { custom_id: randomUUID() }],
    [
      'another capture',
      { links: [{ rel: 'up', href: 'https://a.b/v2/payments/captures/5O190127TN364715T' }] },
    ],
    ['an unknown status', { status: 'THINKING' }],
  ])(
    'the PayPal adapter reports a refund answered with %s as accepted after its query finds the refund',
    async (_what, changes) => {
      const { refundRequest } = await world.givenCapture();
      await world.fault(send, 'altered', { changes });
      expect(await provider.refund(refundRequest())).toEqual({
        outcome: 'accepted',
        state: 'done',
      });
    },
  );

  test.each(silences)(
    'the PayPal adapter does not send a refund when its query of the order before the refund is answered by %s',
    async (_what, kind, more) => {
      const { captureId, refundRequest } = await world.givenCapture();
      const request = refundRequest();
      await world.fault(look, kind, more);
      expect(await provider.refund(request)).toMatchObject({ outcome: 'unknown' });
      expect(await refundsOf(captureId)).toEqual([]);
    },
  );
});

describe('PayPal disputes', () => {
  const tell = async (path: string, body: object) =>
    Object(await world.outsider.tell(`/__sandbox/disputes${path}`, body));

  test('the PayPal adapter reports a dispute as warning, open, lost or won, and a refund after a lost dispute as rejected', async () => {
    const { captureId, payment, refundRequest } = await world.givenCapture();
    const { id } = await tell('', { paymentIntent: captureId, stage: 'warning', amount: 200 });
    const stage = async () => {
      const truth = await provider.queryPayment(payment);
      return truth.outcome === 'ok' ? truth.disputes : truth;
    };
    const dispute = { disputeId: id, captureId, money: dollars(200n) };
    expect(await stage()).toEqual([{ ...dispute, stage: 'warning' }]);
    for (const next of ['open', 'lost', 'won', 'lost'] as const) {
      await tell(`/${id}`, { stage: next });
      expect(await stage()).toEqual([{ ...dispute, stage: next }]);
    }
    expect(await provider.refund(refundRequest())).toEqual({
      outcome: 'rejected',
      code: 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',
    });
  });

  test('the PayPal adapter reports an inquiry that the payer withdraws as a won dispute', async () => {
    const { captureId, payment } = await world.givenCapture();
    const { id } = await tell('', { paymentIntent: captureId, stage: 'warning' });
    await tell(`/${id}`, { stage: 'warning_closed' });
    expect(await provider.queryPayment(payment)).toMatchObject({ disputes: [{ stage: 'won' }] });
  });

  test.each(['WAITING_FOR_BUYER_RESPONSE', 'UNDER_REVIEW', 'OPEN'])(
    'the PayPal adapter reports a dispute with the status %s as open',
    async (status) => {
      const { captureId, payment } = await world.givenCapture();
      await tell('', { paymentIntent: captureId, stage: 'open' });
      await world.fault('GET /v1/customer/disputes/:id', 'altered', { changes: { status } });
      expect(await provider.queryPayment(payment)).toMatchObject({ disputes: [{ stage: 'open' }] });
    },
  );

  test.each<[string, string, object]>([
    ['a next page', '', { links: [{ rel: 'next' }] }],
    ['an entry of unknown shape', '', { items: [{}] }],
    ['an unknown status', '/:id', { status: 'THINKING' }],
    ['an unknown stage', '/:id', { dispute_life_cycle_stage: 'APPEAL' }],
    ['no outcome', '/:id', { status: 'RESOLVED' }],
    [
      'an unknown outcome',
      '/:id',
      { status: 'RESOLVED', dispute_outcome: { outcome_code: 'NONE' } },
    ],
    [
      'another capture',
      '/:id',
      { disputed_transactions: [{ seller_transaction_id: '5O190127TN364715T' }] },
    ],
  ])(
    'the PayPal adapter reports a payment query as unknown, never undisputed, when the dispute answer has %s',
    async (_what, path, changes) => {
      const { captureId, payment } = await world.givenCapture();
      await tell('', { paymentIntent: captureId, stage: 'open' });
      await world.fault(`GET /v1/customer/disputes${path}`, 'altered', { changes });
      expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the PayPal adapter reports a payment query as unknown when the dispute list cannot be fetched', async () => {
    const { payment } = await world.givenCapture();
    await world.fault('GET /v1/customer/disputes', 'http500_before');
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('PayPal settlement', () => {
  const search = 'GET /v1/reporting/transactions';
  const period = () => ({
    from: new Date(Date.now() - 3600_000),
    // PayPal's transaction search does not reach into the future.
    until: new Date(Math.floor(Date.now() / 1000) * 1000),
    reportId: null,
  });

  async function linesOf(captureId: string) {
    await expect.poll(async () => (await provider.settlement(period())).outcome).toBe('ok');
    const found = await provider.settlement(period());
    if (found.outcome !== 'ok') throw new Error(JSON.stringify(found));
    return found.lines.filter((line) => line.captureId === captureId);
  }

  test('the PayPal adapter’s settlement has lines for the capture, fee, refunds, dispute, dispute fee and reversal', async () => {
    const { captureId, refundRequest } = await world.givenCapture();
    const request = refundRequest({ money: dollars(100n) });
    await provider.refund(request);
    await world.outsider.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 50 });
    const { id } = Object(
      await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' }),
    );
    await world.outsider.tell(`/__sandbox/disputes/${id}`, { stage: 'won' });
    const [, dashboard] = (await refundsOf(captureId)).toReversed();
    await expect.poll(async () => (await linesOf(captureId)).length).toBe(7);
    const lines = await linesOf(captureId);
    expect(lines.map(({ kind, subjectId, money }) => [kind, subjectId, money.amountMinor])).toEqual(
      [
        ['capture', captureId, 499n],
        ['fee', captureId, -66n],
        ['refund', request.refundId, -100n],
        ['refund', dashboard?.id, -50n],
        ['dispute', id, -499n],
        ['dispute_fee', expect.any(String), -2000n],
        ['dispute', id, 499n],
      ],
    );
    expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(7);
  });

  test('the PayPal adapter’s settlement is not_ready until PayPal has data for the whole period', async () => {
    const before = Math.floor(Date.now() / 1000) - 60;
    await world.outsider.tell('/__sandbox/reports', { availableUntil: before });
    expect(await provider.settlement(period())).toEqual({
      outcome: 'not_ready',
      reportId: 'transactions',
    });
  });

  test('the PayPal adapter returns exactly the lines of PayPal’s settlement, even if lines are missing, altered or invented there', async () => {
    const [kept, lost] = [await world.givenCapture(), await world.givenCapture()];
    await world.outsider.tell('/__sandbox/settlement', {
      omit: [lost.captureId],
      alter: { [kept.captureId]: 1 },
      invent: [{ id: 'INVENTED1234', amount: 7, currency: 'usd' }],
    });
    await expect.poll(async () => (await linesOf(kept.captureId)).length).toBe(2);
    expect(await linesOf(kept.captureId)).toMatchObject([{ money: dollars(1n) }, { kind: 'fee' }]);
    expect(await linesOf(lost.captureId)).toEqual([]);
    expect(await linesOf('INVENTED1234')).toMatchObject([{ kind: 'capture', money: dollars(7n) }]);
  });

  test.each(silences)(
    'the PayPal adapter reports a settlement answered by %s as unknown',
    async (_what, kind, more) => {
      const isAltered = kind === 'altered';
      await world.fault(search, kind, isAltered ? { changes: { total_pages: null } } : more);
      expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
    },
  );

  test.each<[string, object]>([
    ['an unknown transaction status', { transaction_status: 'X' }],
    ['an unsupported currency', { transaction_amount: { currency_code: 'XXX', value: '1' } }],
    [
      'an amount with too many decimals',
      { transaction_amount: { currency_code: 'USD', value: '1.001' } },
    ],
  ])('the PayPal adapter reports a whole settlement with %s as unknown', async (_what, more) => {
    const { captureId } = await world.givenCapture();
    await expect.poll(async () => (await linesOf(captureId)).length).toBe(2);
    const info = {
      transaction_id: 'ABCDEFGHJKLM',
      transaction_event_code: 'T0006',
      transaction_status: 'S',
      transaction_initiation_date: '2026-11-15T21:00:00+0000',
      transaction_amount: { currency_code: 'USD', value: '1.00' },
      ...more,
    };
    const changes = { transaction_details: [{ transaction_info: info }] };
    await world.fault(search, 'altered', { changes });
    expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
  });

  test('the PayPal adapter fetches a settlement of more than 10,000 transactions in parts and returns each transaction once', async () => {
    const { from, until } = period();
    const [early, late] = [from, until].map((at) => Math.floor(at.getTime() / 1000));
    const invent = Array.from({ length: 10_001 }, (_, index) => ({
      id: `LONG${index}`,
      amount: 1,
      currency: 'usd',
      eventCode: 'T1105',
      created: index % 2 === 0 ? (early ?? 0) + 60 : (late ?? 0) - 60,
    }));
    await world.outsider.tell('/__sandbox/settlement', { invent });
    const found = await provider.settlement({ from, until, reportId: null });
    const lines = found.outcome === 'ok' ? found.lines : [];
    const made = lines.filter(({ subjectId }) => subjectId.startsWith('LONG'));
    expect(new Set(made.map(({ lineId }) => lineId)).size).toBe(10_001);
    expect(made).toHaveLength(10_001);
  });

  test('the PayPal adapter reads all pages of a settlement, and reports the settlement as unknown when PayPal answers with another page', async () => {
    const { captureId } = await world.givenCapture();
    const invent = Array.from({ length: 501 }, (_, index) => ({
      id: `PAGED${index}`,
      amount: 1,
      currency: 'usd',
      reference: captureId,
      eventCode: 'T1105',
    }));
    await world.outsider.tell('/__sandbox/settlement', { invent });
    const found = await provider.settlement(period());
    const lines = found.outcome === 'ok' ? found.lines : [];
    expect(lines.filter(({ kind }) => kind === 'other')).toHaveLength(501);
    await world.fault(search, 'altered', { changes: { page: 2 } });
    expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
  });
});
