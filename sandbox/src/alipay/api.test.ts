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

describe('the gateway', () => {
  test('answers the unmodified SDK, which verifies every answer', async () => {
    const order = givenOrder({ subject: '60 颗宝石 100%' });
    expect(await alipay.ask(precreate, order)).toMatchObject({
      code: '10000',
      out_trade_no: order.out_trade_no,
      qr_code: expect.stringMatching(/^https:\/\/qr\.alipay\.com\/bax/),
    });
  });

  test('refuses what another key has signed, in its own signed words', async () => {
    const stranger = alipay.sdkWith({ privateKey: strangersKey });
    expect(await alipay.ask(query, { out_trade_no: '1' }, stranger)).toMatchObject({
      code: '40002',
      sub_code: 'isv.invalid-signature',
    });
  });

  test.each([
    ['another application', { appId: '2021000000000001' }, 'isv.invalid-app-id'],
    ['a weak signature', { signType: 'RSA' }, 'isv.invalid-signature-type'],
  ] as const)('refuses %s', async (_what, changes, code) => {
    const answer = await alipay.sdkWith(changes).exec(query, { bizContent: { out_trade_no: '1' } });
    expect(answer).toMatchObject({ code: '40002', sub_code: code });
  });

  test('refuses a call that it does not know, and content that is none', async () => {
    expect(await alipay.ask('alipay.trade.nothing', {})).toMatchObject({
      sub_code: 'isv.invalid-method',
    });
    expect(await alipay.ask(query, { no: 'thing' })).toMatchObject({
      sub_code: 'isv.invalid-parameter',
    });
  });

  test('signs with either of its keys, as it is told', async () => {
    await alipay.tell('/__sandbox/keys', { signWith: 'next' });
    await expect(alipay.ask(query, { out_trade_no: '1' })).rejects.toThrow('验签失败');
    const newer = alipay.sdkWith({ alipayPublicKey: nextPublicKey });
    expect(await alipay.ask(query, { out_trade_no: '1' }, newer)).toMatchObject({ code: '40004' });
  });

  test.each(['bad_signature', 'altered', 'unsigned', 'truncated', 'html_200', 'other_method'])(
    'answers with %s when it is told to, and the SDK notices',
    async (kind) => {
      await alipay.tell('/__sandbox/faults', { match: precreate, kind });
      await expect(alipay.ask(precreate, givenOrder())).rejects.toThrow();
    },
  );
});

describe('an order', () => {
  test('is there for queries only when the payer has come', async () => {
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

  test('asked for again is the same; for something else it is refused', async () => {
    const order = givenOrder();
    const made = await alipay.ask(precreate, order);
    expect(await alipay.ask(precreate, order)).toMatchObject({ qr_code: made.qr_code });
    expect(await alipay.ask(precreate, { ...order, total_amount: '6.01' })).toMatchObject({
      sub_code: 'ACQ.CONTEXT_INCONSISTENT',
    });
  });

  test.each([
    ['no amount', { total_amount: '0.00' }],
    ['parts of a fen', { total_amount: '6.001' }],
    ['letters of an address in its name', { subject: 'a=b' }],
    ['a number with a dash', { out_trade_no: 'a-b' }],
    ['an end that is no time', { time_expire: 'soon' }],
    ['something unknown', { colour: 'red' }],
  ])('with %s is refused', async (_what, changes) => {
    expect(await alipay.ask(precreate, givenOrder(changes))).toMatchObject({
      sub_code: 'isv.invalid-parameter',
    });
  });

  test('is paid once, however often', async () => {
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

  test('that is closed can be paid by nobody, one that is paid not be closed', async () => {
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

  test('ends by itself when its time is over', async () => {
    const order = givenOrder();
    await fetch(pageUrl(alipay, order));
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 31 * 60 });
    const trade = await alipay.ask(query, { out_trade_no: order.out_trade_no });
    expect(trade).toMatchObject({ trade_status: 'TRADE_CLOSED' });
    expect(trade).not.toHaveProperty('send_pay_date');
  });
});

describe('a refund', () => {
  const refund = (tradeNo: string, amount: string, no: string = randomUUID()) =>
    alipay.ask('alipay.trade.refund', {
      trade_no: tradeNo,
      refund_amount: amount,
      out_request_no: no,
    });
  const found = (tradeNo: string, no: string) =>
    alipay.ask('alipay.trade.fastpay.refund.query', { trade_no: tradeNo, out_request_no: no });

  test('gives back once under its number, and tells what went back in all', async () => {
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

  test('of all closes the trade, which still says that it was paid', async () => {
    const { tradeNo } = await givenPaid(alipay);
    await refund(tradeNo, '6.00');
    expect(await alipay.ask(query, { trade_no: tradeNo })).toMatchObject({
      trade_status: 'TRADE_CLOSED',
      send_pay_date: expect.any(String),
      total_amount: '6.00',
    });
  });

  test('that is on its way looks like none, and one that failed may be asked for again', async () => {
    const { tradeNo } = await givenPaid(alipay);
    const no = randomUUID();
    await alipay.tell('/__sandbox/refunds', { next: 'pending' });
    expect(await refund(tradeNo, '6.00', no)).toMatchObject({ fund_change: 'N' });
    expect(await found(tradeNo, no)).toEqual({ code: '10000', msg: 'Success' });
    await alipay.tell(`/__sandbox/refunds/${no}/settle`, { status: 'failed' });
    expect(await found(tradeNo, no)).toEqual({ code: '10000', msg: 'Success' });
    expect(await refund(tradeNo, '6.00', no)).toMatchObject({ fund_change: 'Y' });
  });

  test('without money to take it from is refused, and so is one after a year', async () => {
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
