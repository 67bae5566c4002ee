import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  givenOrder,
  givenPaid,
  mchid,
  refundBody,
  startWechatpay,
  type WechatpayProgram,
} from '../../test/wechatpay.ts';

let wechat: WechatpayProgram;
beforeAll(async () => {
  wechat = await startWechatpay();
});
beforeEach(async () => {
  await wechat.tell('/__sandbox/reset');
});
afterAll(async () => await wechat.stop());

const refunds = '/v3/refund/domestic/refunds';

test('a refund in the WeChat Pay sandbox is PROCESSING in its own answer and SUCCESS in the next query', async () => {
  const { outTradeNo, transactionId } = await givenPaid(wechat);
  const asked = refundBody(outTradeNo, { refund: 100 });
  expect(await wechat.sdk('POST', refunds, asked)).toMatchObject({
    status: 200,
    body: {
      refund_id: expect.stringMatching(/^5030\d{25}$/),
      out_refund_no: asked.out_refund_no,
      transaction_id: transactionId,
      out_trade_no: outTradeNo,
      status: 'PROCESSING',
      amount: { total: 600, refund: 100, currency: 'CNY' },
    },
  });
  expect((await wechat.sdk('GET', `${refunds}/${asked.out_refund_no}`)).body).toMatchObject({
    status: 'SUCCESS',
    success_time: expect.stringMatching(/\+08:00$/),
  });
  const query = `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${mchid}`;
  expect((await wechat.sdk('GET', query)).body).toMatchObject({
    trade_state: 'REFUND',
    amount: { total: 600 },
  });
});

test('the WeChat Pay sandbox answers a repeated refund number with the same refund, and refuses another amount', async () => {
  const { outTradeNo } = await givenPaid(wechat);
  const asked = refundBody(outTradeNo, { refund: 100 });
  await wechat.sdk('POST', refunds, asked);
  expect((await wechat.sdk('POST', refunds, asked)).body).toMatchObject({ status: 'SUCCESS' });
  const other = { ...asked, amount: { ...asked.amount, refund: 101 } };
  expect(await wechat.sdk('POST', refunds, other)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST' },
  });
  const made = (await wechat.records()).refunds.filter(
    ({ outRefundNo }) => outRefundNo === asked.out_refund_no,
  );
  expect(made).toMatchObject([{ amount: 100 }]);
});

test('the WeChat Pay sandbox refuses a refund above the paid amount minus earlier and pending refunds', async () => {
  const { outTradeNo } = await givenPaid(wechat);
  await wechat.tell('/__sandbox/refunds', { next: 'pending' });
  await wechat.sdk('POST', refunds, refundBody(outTradeNo, { refund: 400 }));
  expect(await wechat.sdk('POST', refunds, refundBody(outTradeNo, { refund: 201 }))).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST' },
  });
  expect((await wechat.sdk('POST', refunds, refundBody(outTradeNo, { refund: 200 }))).status).toBe(
    200,
  );
});

test.each([
  ['an unknown order number', { out_trade_no: 'never-paid-order' }, 404, 'RESOURCE_NOT_EXISTS'],
  [
    'a wrong total amount',
    { amount: { refund: 1, total: 601, currency: 'CNY' } },
    400,
    'INVALID_REQUEST',
  ],
  ['an amount of zero', { amount: { refund: 0, total: 600, currency: 'CNY' } }, 400, 'PARAM_ERROR'],
  ['a malformed refund number', { out_refund_no: 'a b' }, 400, 'PARAM_ERROR'],
  ['both an order number and a transaction id', { transaction_id: '4200' }, 400, 'PARAM_ERROR'],
])('the WeChat Pay sandbox refuses a refund with %s', async (_what, changes, status, code) => {
  const { outTradeNo } = await givenPaid(wechat);
  expect(
    await wechat.sdk('POST', refunds, { ...refundBody(outTradeNo), ...changes }),
  ).toMatchObject({ status, body: { code } });
});

test('the WeChat Pay sandbox answers 404 to a query of an unknown refund', async () => {
  expect(await wechat.sdk('GET', `${refunds}/${randomUUID()}`)).toMatchObject({
    status: 404,
    body: { code: 'RESOURCE_NOT_EXISTS' },
  });
});

test('a refund in the state ABNORMAL in the WeChat Pay sandbox can end as successful, or closed with its amount freed', async () => {
  const { outTradeNo } = await givenPaid(wechat);
  const status = async (no: string) => (await wechat.sdk('GET', `${refunds}/${no}`)).body;
  const settle = (no: string, end: string) =>
    wechat.tell(`/__sandbox/refunds/${no}/settle`, { status: end });

  await wechat.tell('/__sandbox/refunds', { next: 'failed', times: 2 });
  const [mended, closed] = [1, 2].map(() => refundBody(outTradeNo, { refund: 300 }));
  for (const asked of [mended, closed]) await wechat.sdk('POST', refunds, asked);
  const [first = '', second = ''] = [mended?.out_refund_no, closed?.out_refund_no];
  expect(await status(first)).toMatchObject({ status: 'ABNORMAL' });
  expect(await wechat.sdk('POST', refunds, refundBody(outTradeNo, { refund: 1 }))).toMatchObject({
    status: 400,
  });

  await settle(first, 'succeeded');
  expect(await status(first)).toMatchObject({ status: 'SUCCESS' });
  await settle(second, 'closed');
  expect(await status(second)).toMatchObject({ status: 'CLOSED' });
  expect((await wechat.sdk('POST', refunds, refundBody(outTradeNo, { refund: 300 }))).status).toBe(
    200,
  );
  await expect(settle(first, 'failed')).rejects.toThrow('SUCCESS');
});

test('a refund made by hand in the merchant platform of the WeChat Pay sandbox has no refund id of the shop', async () => {
  const { transactionId } = await givenPaid(wechat);
  expect(
    await wechat.tell(`/__sandbox/charges/${transactionId}/refund`, { amount: 1 }),
  ).toMatchObject({ metadata: {}, status: 'succeeded', amount: 1, payment_intent: transactionId });
  expect(givenOrder().mchid).toBe(mchid);
});
