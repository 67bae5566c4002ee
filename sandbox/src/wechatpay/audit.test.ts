import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditedIn, sorted } from '../../test/audited.ts';
import {
  givenOrder,
  givenPaid,
  refundBody,
  startWechatpay,
  type WechatpayProgram,
} from '../../test/wechatpay.ts';

let wechat: WechatpayProgram;
beforeEach(async () => {
  wechat = await startWechatpay();
});
afterEach(async () => await wechat.stop());

test('the WeChat Pay sandbox lists charges and completed refunds for the auditor program under the ids of the shop', async () => {
  const payments = [await givenPaid(wechat), await givenPaid(wechat)];
  await wechat.sdk('POST', '/v3/pay/transactions/native', givenOrder());
  expect(await auditedIn(wechat, 'charges')).toEqual(
    sorted(payments.map((paid) => `${paid.paymentId}|${paid.transactionId}|600|cny`)),
  );

  const { outTradeNo, paymentId, transactionId } = await givenPaid(wechat);
  const refund = (amount: number) =>
    wechat.sdk('POST', '/v3/refund/domestic/refunds', refundBody(outTradeNo, { refund: amount }));
  await refund(100);
  await wechat.tell('/__sandbox/refunds', { next: 'pending' });
  await refund(50);
  await wechat.tell('/__sandbox/refunds', { next: 'failed' });
  await refund(25);
  await wechat.tell(`/__sandbox/charges/${transactionId}/refund`, { amount: 7 });
  const { refunds } = await wechat.records();
  const ours = refunds.find(({ amount }) => amount === 100)?.outRefundNo;
  const elsewhere = refunds.find(({ amount }) => amount === 7)?.id;
  const start = `${paymentId}|${transactionId}`;
  expect(await auditedIn(wechat, 'refunds')).toEqual(
    sorted([`${start}|${ours}|100|cny`, `${start}|${elsewhere}|7|cny`]),
  );
  expect(await auditedIn(wechat, 'disputes')).toEqual([]);
});

test('the WeChat Pay sandbox finds payments by a range of payment ids, those without a payment id first', async () => {
  const { outTradeNo, paymentId, transactionId } = await givenPaid(wechat);
  const asked = refundBody(outTradeNo, { refund: 1 });
  await wechat.sdk('POST', '/v3/refund/domestic/refunds', asked);
  const common = { paymentId, currency: 'cny', payment_intent: transactionId };

  for (const query of [`from=${paymentId}&until=${paymentId}0`, `paymentId=${paymentId}`]) {
    expect(await wechat.get(`/__sandbox/charges?${query}`)).toMatchObject({
      charges: [{ ...common, amount: 600 }],
      next: null,
    });
    expect(await wechat.get(`/__sandbox/refunds?${query}`)).toMatchObject({
      refunds: [{ ...common, status: 'succeeded', metadata: { refundId: asked.out_refund_no } }],
    });
    expect(await wechat.get(`/__sandbox/disputes?${query}`)).toEqual({ disputes: [], next: null });
  }
  await givenPaid(wechat, { attach: 'somebody else' });
  expect(await wechat.get('/__sandbox/charges?from=&until=0')).toMatchObject({
    charges: [{ paymentId: null }],
  });
});

test('one call to the control API of the WeChat Pay sandbox pays many orders, and its records are listed page by page', async () => {
  const orders = [givenOrder(), givenOrder(), givenOrder()];
  for (const order of orders) await wechat.sdk('POST', '/v3/pay/transactions/native', order);
  const ids = orders.map(({ out_trade_no }) => out_trade_no);
  expect(await wechat.tell('/__sandbox/sessions/pay', { ids: [...ids, 'nobody'] })).toEqual({
    sessions: [
      ...ids.map((id) => ({ id, outcome: 'paid', paymentIntent: expect.stringMatching(/^4200/) })),
      { id: 'nobody', outcome: 'not_found', paymentIntent: null },
    ],
  });
  for (const kind of ['sessions', 'charges', 'events']) {
    const first = await page(kind, 0);
    const second = await page(kind, first.next ?? 0);
    expect(first.records).toHaveLength(2);
    expect(second).toMatchObject({ records: [{}], next: null });
  }
  expect(await page('refunds', 0)).toEqual({ records: [], next: null });
  expect(await page('disputes', 0)).toEqual({ records: [], next: null });
});

async function page(kind: string, after: number) {
  // The sandbox is part of this project, and the test checks every field that it uses.
  const answer = await wechat.get(`/__sandbox/records/${kind}?limit=2&after=${after}`);
  return answer as { records: { seq: number }[]; next: number | null };
}
