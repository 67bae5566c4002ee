import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider, RefundRequest } from '../psp.ts';
import { type AlipayWorld, startAlipayWorld } from '../test/alipay-world.ts';

let world: AlipayWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startAlipayWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const refund = 'alipay.trade.refund';
const query = 'alipay.trade.fastpay.refund.query';
const fen = (amountMinor: bigint) => ({ money: { amountMinor, currency: 'CNY' } as const });
const done = { outcome: 'accepted', state: 'done' };

describe('Alipay refunds', () => {
  test('an Alipay refund requested ten times concurrently through the adapter is made once', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest(fen(100n));
    const results = await Promise.all(Array.from({ length: 10 }, () => provider.refund(asked)));
    for (const result of results) expect(result).toEqual(done);
    expect(await refundsOf(asked)).toMatchObject([{ id: asked.refundId, amount: 100 }]);
  });

  test('the Alipay adapter reports a refund as pending until the money moves, and then as done', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest();
    await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
    expect(await provider.refund(asked)).toEqual({ outcome: 'accepted', state: 'pending' });
    expect(await provider.queryRefund(asked)).toEqual({ outcome: 'not_found' });
    const path = `/__sandbox/refunds/${asked.refundId}/settle`;
    await world.outsider.tell(path, { status: 'succeeded' });
    expect(await provider.queryRefund(asked)).toMatchObject({ refund: { state: 'done' } });
    expect(await provider.refund(asked)).toEqual(done);
    expect(await refundsOf(asked)).toHaveLength(1);
  });

  test('the Alipay adapter reports a refund id reused for another amount as unknown and makes no second refund', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest(fen(100n));
    await provider.refund(asked);
    const other = { ...asked, ...fen(200n) };
    expect(await provider.refund(other)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.queryRefund(other)).toMatchObject({ outcome: 'unknown' });
    expect(await refundsOf(asked)).toMatchObject([{ amount: 100 }]);
  });

  test('the Alipay adapter reports the id of a pending refund reused for another amount as unknown', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest(fen(100n));
    await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
    await provider.refund(asked);
    expect(await provider.refund({ ...asked, ...fen(200n) })).toMatchObject({
      outcome: 'unknown',
      cause: 'ACQ.DISCORDANT_REPEAT_REQUEST',
    });
  });

  test('the Alipay adapter reports a refund above the remaining amount as rejected, and no money moves', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest(fen(64_801n));
    expect(await provider.refund(asked)).toEqual({
      outcome: 'rejected',
      code: 'ACQ.REASON_TRADE_REFUND_FEE_ERR',
    });
    expect(await refundsOf(asked)).toEqual([]);
  });

  test('the Alipay adapter reports a refund as rejected when the seller balance is too low; the refund can be repeated', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest();
    await world.outsider.tell('/__sandbox/refunds', { next: 'failed' });
    expect(await provider.refund(asked)).toMatchObject({ outcome: 'rejected' });
    expect(await provider.refund(asked)).toEqual(done);
  });

  test('the Alipay adapter reports a refund of a trade that does not exist as rejected', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest({ captureId: '2026111522001999999999999999' });
    expect(await provider.refund(asked)).toEqual({
      outcome: 'rejected',
      code: 'ACQ.TRADE_NOT_EXIST',
    });
    expect(await provider.queryRefund(asked)).toEqual({ outcome: 'not_found' });
  });

  test('the Alipay adapter throws an error for a refund in a currency other than CNY', async () => {
    const { refundRequest } = await world.givenPayment();
    const money = { amountMinor: 1n, currency: 'USD' } as const;
    await expect(provider.refund(refundRequest({ money }))).rejects.toThrow('USD');
  });
});

describe('Alipay refunds without a clear answer', () => {
  const kinds = [
    'http500_after_commit',
    'cut_after_commit',
    'system_error_after_commit',
    'bad_signature',
    'altered',
    'unsigned',
    'error_response',
    'other_method',
    'truncated',
    'empty_200',
    'html_200',
  ];

  test.each(kinds)(
    'the Alipay adapter finds a refund made before the fault %s by a query, and the refund is made once',
    async (kind) => {
      const { refundRequest } = await world.givenPayment();
      const asked = refundRequest();
      await world.fault(refund, kind);
      expect(await provider.refund(asked)).toEqual(done);
      expect(await refundsOf(asked)).toHaveLength(1);
    },
  );

  test.each(['http500_before', 'cut_before', 'unavailable', 'json404_without_error'])(
    'the Alipay adapter reports a refund not made because of the fault %s as unknown, and its retry makes one refund',
    async (kind) => {
      const { refundRequest } = await world.givenPayment();
      const asked = refundRequest();
      await world.fault(refund, kind);
      expect(await provider.refund(asked)).toMatchObject({ outcome: 'unknown' });
      expect(await provider.refund(asked)).toEqual(done);
      expect(await refundsOf(asked)).toHaveLength(1);
    },
  );

  test('the Alipay adapter reports a refund as unknown when both the refund call and the refund query fail', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest();
    await world.fault(refund, 'cut_after_commit');
    await world.fault(query, 'bad_signature');
    expect(await provider.refund(asked)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.refund(asked)).toEqual(done);
    expect(await refundsOf(asked)).toHaveLength(1);
  });

  const refusal = JSON.stringify({ code: '40004', sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH' });

  test('the Alipay adapter reports a refund that Alipay refused in a signed answer as accepted if a query finds it', async () => {
    const { refundRequest } = await world.givenPayment();
    const asked = refundRequest();
    await world.fault(refund, 'other_answer', { body: refusal });
    expect(await provider.refund(asked)).toEqual(done);
  });

  test.each<[string, string]>([
    ['another trade number', '{"code":"10000","trade_no":"2026111522001000","fund_change":"Y"}'],
    ['no fund_change', '{"code":"10000","trade_no":"2026111522001000"}'],
    ['only a code', '{"code":"10000"}'],
  ])('the Alipay adapter reports a refund answered with %s as unknown', async (_what, body) => {
    const { refundRequest } = await world.givenPayment();
    await world.fault(refund, 'other_answer', { body });
    expect(await provider.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
  });
});

describe('querying an Alipay refund', () => {
  test.each<[string, object]>([
    ['an unknown status', { refund_status: 'REFUND_CLOSED' }],
    ['no status', { refund_status: undefined }],
    ['another refund id', { out_request_no: randomUUID() }],
    ['another trade number', { trade_no: '2026111522001000' }],
    ['another amount', { refund_amount: '1.00' }],
    ['an amount that is not a number', { refund_amount: 'all' }],
  ])(
    'the Alipay adapter reports a refund query answered with %s as unknown',
    async (_what, changes) => {
      const { refundRequest, captureId } = await world.givenPayment();
      const asked = refundRequest();
      const body = JSON.stringify({
        code: '10000',
        trade_no: captureId,
        out_request_no: asked.refundId,
        refund_amount: '648.00',
        refund_status: 'REFUND_SUCCESS',
        ...changes,
      });
      await world.fault(query, 'other_answer', { body });
      expect(await provider.queryRefund(asked)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the Alipay adapter’s refund query returns not_found for a refund that was never requested', async () => {
    const { refundRequest } = await world.givenPayment();
    expect(await provider.queryRefund(refundRequest())).toEqual({ outcome: 'not_found' });
  });

  test.each(['unsigned', 'bad_signature', 'cut_before'])(
    'the Alipay adapter reports a refund query as unknown after the fault %s',
    async (kind) => {
      const { refundRequest } = await world.givenPayment();
      await world.fault(query, kind);
      expect(await provider.queryRefund(refundRequest())).toMatchObject({ outcome: 'unknown' });
    },
  );
});

async function refundsOf({ captureId }: RefundRequest) {
  const { refunds } = await world.records();
  return refunds.filter(({ charge }) => charge === captureId);
}
