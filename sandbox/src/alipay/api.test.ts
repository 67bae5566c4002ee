import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AlipayProgram,
  givenOrder,
  givenPaid,
  nextPublicKey,
  pageUrl,
  startAlipay,
  strangersKey,
} from '../../test/alipay.ts';

let alipay: AlipayProgram;
beforeAll(async () => {
  alipay = await startAlipay();
});
beforeEach(() => alipay.tell('/__sandbox/reset'));
afterAll(() => alipay.stop());

const precreate = 'alipay.trade.precreate';
const query = 'alipay.trade.query';

describe('Alipay gateway', () => {
  test('the Alipay sandbox answers the unmodified Alipay SDK, which verifies the signature of the answer', async () => {
    const order = givenOrder({ subject: '60 颗宝石 100%' });
    expect(await alipay.ask(precreate, order)).toMatchObject({
      code: '10000',
      out_trade_no: order.out_trade_no,
      qr_code: expect.stringMatching(/^https:\/\/qr\.alipay\.com\/bax/),
    });
  });

  test('the Alipay sandbox refuses a request signed with another key, and signs this refusal', async () => {
    const stranger = alipay.sdkWith({ privateKey: strangersKey });
    expect(await alipay.ask(query, { out_trade_no: '1' }, stranger)).toMatchObject({
      code: '40002',
      sub_code: 'isv.invalid-signature',
    });
  });

  test.each([
    ['another app id', { appId: '2021000000000001' }, 'isv.invalid-app-id'],
    ['the weak signature type RSA', { signType: 'RSA' }, 'isv.invalid-signature-type'],
  ] as const)('the Alipay sandbox refuses a request with %s', async (_what, changes, code) => {
    const answer = await alipay.sdkWith(changes).exec(query, { bizContent: { out_trade_no: '1' } });
    expect(answer).toMatchObject({ code: '40002', sub_code: code });
  });

  test('the Alipay sandbox refuses an unknown API method and unknown content fields', async () => {
    expect(await alipay.ask('alipay.trade.nothing', {})).toMatchObject({
      sub_code: 'isv.invalid-method',
    });
    expect(await alipay.ask(query, { no: 'thing' })).toMatchObject({
      sub_code: 'isv.invalid-parameter',
    });
  });

  test('the Alipay sandbox signs its answers with the key chosen by the control API', async () => {
    await alipay.tell('/__sandbox/keys', { signWith: 'next' });
    await expect(alipay.ask(query, { out_trade_no: '1' })).rejects.toThrow('验签失败');
    const newer = alipay.sdkWith({ alipayPublicKey: nextPublicKey });
    expect(await alipay.ask(query, { out_trade_no: '1' }, newer)).toMatchObject({ code: '40004' });
  });

  test.each(['bad_signature', 'altered', 'unsigned', 'truncated', 'html_200', 'other_method'])(
    'the Alipay SDK rejects an answer of the Alipay sandbox with the planned fault %s',
    async (kind) => {
      await alipay.tell('/__sandbox/faults', { match: precreate, kind });
      await expect(alipay.ask(precreate, givenOrder())).rejects.toThrow();
    },
  );
});

describe('Alipay orders', () => {
  test('the Alipay sandbox finds an order by query only after the payer has scanned its QR code', async () => {
    const order = givenOrder();
    const { out_trade_no } = order;
    const { qr_code } = await alipay.ask(precreate, order);
    const missing = { code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' };
    expect(await alipay.ask(query, { out_trade_no })).toMatchObject(missing);
    expect(await alipay.ask('alipay.trade.close', { out_trade_no })).toMatchObject(missing);

    await fetch(`${alipay.url}/scan?code=${encodeURIComponent(qr_code)}`);
    expect(await alipay.ask(query, { out_trade_no })).toMatchObject({
      trade_status: 'WAIT_BUYER_PAY',
      total_amount: '6.00',
    });
  });

  test('the Alipay sandbox answers a repeated order with the same QR code, and refuses it with another amount', async () => {
    const order = givenOrder();
    const made = await alipay.ask(precreate, order);
    expect(await alipay.ask(precreate, order)).toMatchObject({ qr_code: made.qr_code });
    expect(await alipay.ask(precreate, { ...order, total_amount: '6.01' })).toMatchObject({
      sub_code: 'ACQ.CONTEXT_INCONSISTENT',
    });
  });

  test.each([
    ['an amount of zero', { total_amount: '0.00' }],
    ['a fraction of a fen', { total_amount: '6.001' }],
    ['forbidden characters in its subject', { subject: 'a=b' }],
    ['a dash in its order number', { out_trade_no: 'a-b' }],
    ['a malformed expiry', { time_expire: 'soon' }],
    ['an unknown field', { colour: 'red' }],
  ])('the Alipay sandbox refuses an order with %s', async (_what, changes) => {
    expect(await alipay.ask(precreate, givenOrder(changes))).toMatchObject({
      sub_code: 'isv.invalid-parameter',
    });
  });

  test('the Alipay sandbox takes payment of an order once and finds it by order number and trade number', async () => {
    const { outTradeNo, tradeNo, order } = await givenPaid(alipay);
    expect(await alipay.tell(`/__sandbox/sessions/${outTradeNo}/pay`)).toMatchObject({
      outcome: 'already_paid',
    });
    for (const which of [{ out_trade_no: outTradeNo }, { trade_no: tradeNo }]) {
      expect(await alipay.ask(query, which)).toMatchObject({
        trade_status: 'TRADE_SUCCESS',
        trade_no: tradeNo,
        send_pay_date: expect.stringMatching(/^\d{4}-/),
        passback_params: order.passback_params,
      });
    }
    expect(await alipay.ask(precreate, order)).toMatchObject({
      sub_code: 'ACQ.CONTEXT_INCONSISTENT',
    });
  });

  test('the Alipay sandbox refuses to take payment of a closed order and to close a paid order', async () => {
    const order = givenOrder();
    const { out_trade_no } = order;
    await fetch(pageUrl(alipay, order));
    expect(await alipay.ask('alipay.trade.close', { out_trade_no })).toMatchObject({
      code: '10000',
      out_trade_no,
    });
    await expect(alipay.tell(`/__sandbox/sessions/${out_trade_no}/pay`)).rejects.toThrow('closed');
    const { outTradeNo } = await givenPaid(alipay);
    expect(await alipay.ask('alipay.trade.close', { out_trade_no: outTradeNo })).toMatchObject({
      sub_code: 'ACQ.REASON_TRADE_STATUS_INVALID',
    });
  });

  test('the Alipay sandbox closes an unpaid order when the order expires', async () => {
    const order = givenOrder();
    await fetch(pageUrl(alipay, order));
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 31 * 60 });
    const trade = await alipay.ask(query, { out_trade_no: order.out_trade_no });
    expect(trade).toMatchObject({ trade_status: 'TRADE_CLOSED' });
    expect(trade).not.toHaveProperty('send_pay_date');
  });
});

describe('Alipay refunds', () => {
  const refund = (tradeNo: string, amount: string, no: string = randomUUID()) =>
    alipay.ask('alipay.trade.refund', {
      trade_no: tradeNo,
      refund_amount: amount,
      out_request_no: no,
    });
  const found = (tradeNo: string, no: string) =>
    alipay.ask('alipay.trade.fastpay.refund.query', { trade_no: tradeNo, out_request_no: no });

  test('the Alipay sandbox makes a refund once per request number and answers the total refunded so far', async () => {
    const { tradeNo } = await givenPaid(alipay);
    const no = randomUUID();
    expect(await refund(tradeNo, '2.00', no)).toMatchObject({
      fund_change: 'Y',
      refund_fee: '2.00',
    });
    expect(await refund(tradeNo, '2.00', no)).toMatchObject({
      code: '10000',
      fund_change: 'N',
      refund_fee: '2.00',
    });
    expect(await refund(tradeNo, '1.00', no)).toMatchObject({
      sub_code: 'ACQ.DISCORDANT_REPEAT_REQUEST',
    });
    expect(await refund(tradeNo, '1.00')).toMatchObject({ refund_fee: '3.00' });
    expect(await found(tradeNo, no)).toMatchObject({
      refund_status: 'REFUND_SUCCESS',
      refund_amount: '2.00',
      total_amount: '6.00',
    });
    expect(await refund(tradeNo, '3.01')).toMatchObject({
      sub_code: 'ACQ.REASON_TRADE_REFUND_FEE_ERR',
    });
  });

  test('a full refund in the Alipay sandbox closes the trade, and the trade keeps the date of its payment', async () => {
    const { tradeNo } = await givenPaid(alipay);
    await refund(tradeNo, '6.00');
    expect(await alipay.ask(query, { trade_no: tradeNo })).toMatchObject({
      trade_status: 'TRADE_CLOSED',
      send_pay_date: expect.any(String),
      total_amount: '6.00',
    });
  });

  test('the Alipay sandbox hides a pending or failed refund from queries, and lets a failed one be retried', async () => {
    const { tradeNo } = await givenPaid(alipay);
    const no = randomUUID();
    await alipay.tell('/__sandbox/refunds', { next: 'pending' });
    expect(await refund(tradeNo, '6.00', no)).toMatchObject({ fund_change: 'N' });
    expect(await found(tradeNo, no)).toEqual({ code: '10000', msg: 'Success' });
    await alipay.tell(`/__sandbox/refunds/${no}/settle`, { status: 'failed' });
    expect(await found(tradeNo, no)).toEqual({ code: '10000', msg: 'Success' });
    expect(await refund(tradeNo, '6.00', no)).toMatchObject({ fund_change: 'Y' });
  });

  test('the Alipay sandbox refuses a refund when the seller has no balance, and a refund after a year', async () => {
    const { tradeNo } = await givenPaid(alipay);
    await alipay.tell('/__sandbox/refunds', { next: 'failed' });
    expect(await refund(tradeNo, '1.00')).toMatchObject({
      sub_code: 'ACQ.SELLER_BALANCE_NOT_ENOUGH',
    });
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 366 * 24 * 3600 });
    expect(await refund(tradeNo, '1.00')).toMatchObject({ sub_code: 'ACQ.TRADE_HAS_FINISHED' });
    expect(await alipay.ask(query, { trade_no: tradeNo })).toMatchObject({
      trade_status: 'TRADE_FINISHED',
    });
  });
});
