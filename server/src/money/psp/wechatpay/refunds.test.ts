import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import { startWechatpayWorld, type WechatpayWorld } from '../test/wechatpay-world.ts';

let world: WechatpayWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startWechatpayWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.outsider.stop());

const ask = 'POST /v3/refund/domestic/refunds';
const query = 'GET /v3/refund/domestic/refunds/:id';
const fen = (amountMinor: bigint) => ({ amountMinor, currency: 'CNY' }) as const;

describe('WeChat refunds', () => {
  test('the WeChat adapter reports a refund as pending when requested and as done when queried later', async () => {
    const { refundRequest, captureId } = await world.givenPayment();
    const request = refundRequest({ money: fen(123n) });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'pending' });
    expect(await provider.queryRefund(request)).toEqual({
      outcome: 'ok',
      refund: {
        refundId: request.refundId,
        isOurs: true,
        captureId,
        money: fen(123n),
        state: 'done',
      },
    });
  });

  test.each([
    ['succeeded', 'done'],
    ['failed', 'failed'],
    ['closed', 'returned'],
  ] as const)(
    'the WeChat adapter reports a refund that is %s at the bank with the state %s',
    async (status, state) => {
      const { refundRequest } = await world.givenPayment();
      const request = refundRequest();
      await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
      await provider.refund(request);
      expect(await provider.queryRefund(request)).toMatchObject({ refund: { state: 'pending' } });
      await world.outsider.tell(`/__sandbox/refunds/${request.refundId}/settle`, { status });
      expect(await provider.queryRefund(request)).toMatchObject({ refund: { state } });
    },
  );

  test('the WeChat adapter reports a failed refund that the merchant completes by hand as done', async () => {
    const { refundRequest } = await world.givenPayment();
    const request = refundRequest();
    await world.outsider.tell('/__sandbox/refunds', { next: 'failed' });
    await provider.refund(request);
    expect(await provider.queryRefund(request)).toMatchObject({ refund: { state: 'failed' } });
    const settle = `/__sandbox/refunds/${request.refundId}/settle`;
    await world.outsider.tell(settle, { status: 'succeeded' });
    expect(await provider.queryRefund(request)).toMatchObject({ refund: { state: 'done' } });
  });

  test('a WeChat refund requested ten times concurrently through the adapter is made once', async () => {
    const { refundRequest, captureId } = await world.givenPayment();
    const request = refundRequest({ money: fen(60n) });
    const results = await Promise.all(Array.from({ length: 10 }, () => provider.refund(request)));
    for (const result of results) expect(result).toMatchObject({ outcome: 'accepted' });
    expect(await refundsOf(captureId)).toMatchObject([{ amount: 60 }]);
  });

  test('the WeChat adapter reports a refund id reused for another amount as unknown and makes no second refund', async () => {
    const { refundRequest, captureId } = await world.givenPayment();
    const request = refundRequest({ money: fen(60n) });
    await provider.refund(request);
    const other = { ...request, money: fen(61n) };
    expect(await provider.refund(other)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.queryRefund(other)).toMatchObject({ outcome: 'unknown' });
    expect(await refundsOf(captureId)).toMatchObject([{ amount: 60 }]);
  });

  test('the WeChat adapter reports a refund above the remaining amount as rejected, and no money moves', async () => {
    const { refundRequest, captureId } = await world.givenPayment();
    await provider.refund(refundRequest({ money: fen(500n) }));
    expect(await provider.refund(refundRequest({ money: fen(101n) }))).toEqual({
      outcome: 'rejected',
      code: 'INVALID_REQUEST',
    });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('the WeChat adapter reports a refund of a transaction that does not exist as rejected', async () => {
    const { refundRequest } = await world.givenPayment();
    const nowhere = refundRequest({ captureId: '4200000000202611150000000009' });
    expect(await provider.refund(nowhere)).toEqual({
      outcome: 'rejected',
      code: 'capture_not_found',
    });
    expect(await provider.queryRefund(nowhere)).toEqual({ outcome: 'not_found' });
  });

  test('the WeChat adapter can refund a payment whose paid amount differs from the amount requested', async () => {
    const { payment, request } = await world.givenOrder();
    await world.pay(payment.pspRef, { amount: 7 });
    const truth = await provider.queryPayment(payment);
    if (truth.outcome !== 'ok') throw new Error('unknown');
    const captureId = truth.captures[0]?.captureId ?? '';
    const asked = { refundId: randomUUID(), payment, captureId, reason: 'other' as const };
    expect(await provider.refund({ ...asked, money: fen(7n) })).toMatchObject({
      outcome: 'accepted',
    });
    expect(request.money).toEqual(fen(600n));
  });
});

describe('WeChat refunds without a clear answer', () => {
  const made = [
    ...['http500_after_commit', 'cut_after_commit', 'bad_signature', 'signtest'],
    ...['stale_signature', 'future_signature', 'unknown_serial', 'unsigned', 'truncated'],
    ...['html_200'],
  ];
  const notMade = ['http500_before', 'cut_before', 'json404_without_error', 'frequency_limited'];

  test.each(made)(
    'the WeChat adapter finds a refund made before the fault %s by a query, and the refund is made once',
    async (kind) => {
      const { refundRequest, captureId } = await world.givenPayment();
      const request = refundRequest();
      await world.fault(ask, kind);
      expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
      expect(await refundsOf(captureId)).toHaveLength(1);
    },
  );

  test.each(notMade)(
    'the WeChat adapter reports a refund not made because of the fault %s as unknown, and its retry makes one refund',
    async (kind) => {
      const { refundRequest, captureId } = await world.givenPayment();
      const request = refundRequest();
      await world.fault(ask, kind);
      expect(await provider.refund(request)).toMatchObject({ outcome: 'unknown' });
      expect(await refundsOf(captureId)).toHaveLength(0);
      expect(await provider.refund(request)).toMatchObject({ outcome: 'accepted' });
      expect(await refundsOf(captureId)).toHaveLength(1);
    },
  );

  test.each(['cut_before', 'http500_before', 'signtest', 'unsigned', 'json404_without_error'])(
    'the WeChat adapter reports a refund as unknown when its query also ends in the fault %s',
    async (kind) => {
      const { refundRequest, captureId } = await world.givenPayment();
      const request = refundRequest();
      await world.fault(ask, 'cut_after_commit');
      await world.fault(query, kind);
      expect(await provider.refund(request)).toMatchObject({ outcome: 'unknown' });
      expect(await provider.refund(request)).toMatchObject({ outcome: 'accepted' });
      expect(await refundsOf(captureId)).toHaveLength(1);
    },
  );

  test('the WeChat adapter reports a refund that was refused in an unsigned answer as accepted if a query finds it', async () => {
    const { refundRequest, captureId } = await world.givenPayment();
    const body = JSON.stringify({ code: 'NOT_ENOUGH', message: '' });
    await world.fault(ask, 'other_answer', { status: 403, body, isUnsigned: true });
    expect(await provider.refund(refundRequest())).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['another refund number', { out_refund_no: randomUUID() }],
    ['another transaction', { transaction_id: '4200000000202611150000000009' }],
    ['another amount', { amount: { refund: 1, currency: 'CNY' } }],
    ['another currency', { amount: { refund: 600, currency: 'USD' } }],
    ['an unknown status', { status: 'REFUNDED' }],
    ['no status', { status: undefined }],
    ['a fractional fen', { amount: { refund: 600.5, currency: 'CNY' } }],
  ])('the WeChat adapter reports a refund answered with %s as unknown', async (_what, changes) => {
    const { refundRequest, captureId } = await world.givenPayment();
    const request = refundRequest();
    const reply = {
      out_refund_no: request.refundId,
      transaction_id: captureId,
      status: 'SUCCESS',
      amount: { refund: 600, currency: 'CNY' },
      ...changes,
    };
    for (const match of [ask, query]) {
      await world.fault(match, 'other_answer', { body: JSON.stringify(reply) });
    }
    expect(await provider.refund(request)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.queryRefund(request)).toMatchObject({ outcome: 'unknown' });
  });
});

async function refundsOf(captureId: string) {
  const { refunds } = await world.records();
  return refunds.filter(({ charge }) => charge === captureId);
}
