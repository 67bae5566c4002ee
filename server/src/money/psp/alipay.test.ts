import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../platform/log.ts';
import { alipayCapabilities } from './alipay.ts';
import type { PaymentProvider, PaymentReference } from './psp.ts';
import {
  type AlipayWorld,
  beijing,
  givenRequest,
  onPhone,
  startAlipayWorld,
  startListener,
} from './test/alipay-world.ts';

let world: AlipayWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startAlipayWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const query = 'alipay.trade.query';
const create = 'alipay.trade.precreate';
const refusalOf = (sub_code: string) => JSON.stringify({ code: '40004', msg: 'no', sub_code });

test('the Alipay adapter creates, queries and refunds a payment and reads each step from webhooks', async () => {
  const listener = await startListener(provider.webhookAnswers.received);
  const heard = world.open({ notifyUrl: listener.url, desktop: 'page' });
  const { payment, captureId, request, refundRequest } = await world.givenPayment({}, heard);
  const { pspRef } = payment;
  const subject = { pspRef, reference: request.reference };
  const newsOf = async (at: number) => {
    await expect.poll(() => listener.received.length).toBeGreaterThan(at);
    const [raw] = listener.received.slice(at);
    const parsed = raw === undefined ? undefined : await heard.parseWebhook(raw);
    return parsed?.ok === true ? parsed.events : parsed;
  };
  expect(await newsOf(0)).toEqual([{ eventId: expect.any(String), subject }]);
  expect(await heard.queryPayment(payment)).toEqual({
    outcome: 'ok',
    ...subject,
    status: 'complete',
    captures: [{ captureId, money: request.money }],
    refunds: [],
    disputes: [],
  });
  expect(await heard.findCapture(captureId)).toEqual({
    outcome: 'ok',
    reference: request.reference,
  });

  for (const [index, amountMinor] of [4_800n, 60_000n].entries()) {
    const asked = refundRequest({ money: { amountMinor, currency: 'CNY' } });
    expect(await heard.refund(asked)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await heard.queryRefund(asked)).toMatchObject({
      refund: { refundId: asked.refundId, isOurs: true, captureId, state: 'done' },
    });
    const { refundId } = asked;
    expect(await newsOf(index + 1)).toMatchObject([{ subject: { ...subject, refundId } }]);
  }
  // The full refund has closed the trade; the payment must still count as paid.
  expect(await heard.queryPayment(payment)).toMatchObject({
    status: 'complete',
    captures: [{ captureId, money: request.money }],
  });
  await expect
    .poll(async () => (await world.records()).webhookDeliveries.slice(0, 3))
    .toMatchObject([{ outcome: 'delivered' }, { outcome: 'delivered' }, { outcome: 'delivered' }]);
  await listener.stop();
});

test('the Alipay adapter declares CNY only, desktop and mobile payments, partial refunds and no disputes', () => {
  expect(alipayCapabilities).toMatchObject({
    currencies: { CNY: { decimals: 2 } },
    scenes: ['desktop', 'mobile'],
    captures: 'by_itself',
    partialRefunds: true,
    disputes: false,
  });
  expect(Object.keys(alipayCapabilities.currencies)).toEqual(['CNY']);
});

describe('opening an Alipay payment', () => {
  test('the Alipay adapter returns a QR code for a desktop payment when the merchant account is for QR codes', async () => {
    const { request, payment, action } = await world.givenOrder();
    expect(action).toEqual({
      kind: 'qr',
      content: expect.stringMatching(/^https:\/\/qr\.alipay\.com\//),
    });
    const { accountId, paymentId, attemptId } = request.reference;
    expect(payment.pspRef).toBe(attemptId.replaceAll('-', ''));
    expect(await orderAt(payment.pspRef)).toMatchObject({
      scene: 'qr',
      total: 64_800,
      subject: request.description,
      passback: `${accountId}.${paymentId}.${attemptId}`,
      payment_id: paymentId,
      time_expire: Math.floor(request.expiresAt.getTime() / 1000),
      notify_url: 'http://127.0.0.1:9/webhooks/alipay',
    });
  });

  test.each([
    ['on a desktop', 'page', {}, null],
    ['on a phone', 'wap', onPhone, 'http://localhost/main/recharge/detail/1?from=pay'],
  ] as const)(
    'the Alipay adapter redirects a payment %s to a signed URL of Alipay’s page without calling Alipay',
    async (_where, scene, more, quit) => {
      const before = (await world.records()).requests;
      const page = world.open({ desktop: 'page' });
      const { request, payment, action } = await world.givenOrder(more, page);
      if (action.kind !== 'redirect') throw new Error(action.kind);
      // The URL is built without a call, so Alipay has no order until the payer opens the URL.
      expect((await world.records()).requests).toBe(before);
      expect(await orderAt(payment.pspRef)).toBeUndefined();
      expect((await fetch(action.url)).status).toBe(200);
      expect(await orderAt(payment.pspRef)).toMatchObject({
        scene,
        total: 64_800,
        return_url: request.returnUrl,
        quit_url: quit,
        time_expire: Math.floor(request.expiresAt.getTime() / 1000),
      });
      expect(await provider.queryPayment(payment)).toMatchObject({ status: 'open', captures: [] });
    },
  );

  test('the Alipay adapter sends the timestamp of its requests in Beijing time', async () => {
    const { action } = await world.givenOrder(onPhone);
    if (action.kind !== 'redirect') throw new Error(action.kind);
    const said = new URL(action.url).searchParams.get('timestamp') ?? '';
    expect(Math.abs(Date.parse(`${said.replace(' ', 'T')}+08:00`) - Date.now())).toBeLessThan(
      60_000,
    );
  });

  test('the Alipay sandbox refuses a payment URL of the adapter whose amount was changed, and opens no order', async () => {
    const { payment, action } = await world.givenOrder(onPhone);
    if (action.kind !== 'redirect') throw new Error(action.kind);
    const cheaper = action.url.replace('648.00', '6.48');
    expect(cheaper).not.toBe(action.url);
    expect((await fetch(cheaper)).status).toBe(400);
    expect(await orderAt(payment.pspRef)).toBeUndefined();
  });

  test.each([
    ['URL special characters', 'a/b=c&d', 'a b c d'],
    ['Chinese characters and an emoji', '60 星辉碎片 “😀” 100%', '60 星辉碎片 “😀” 100%'],
    ['more than 256 characters', '很'.repeat(300), '很'.repeat(256)],
    ['only a space', ' ', 'Order'],
  ])(
    'the Alipay adapter creates an order with a valid subject from a description with %s',
    async (_what, description, subject) => {
      const { payment } = await world.givenOrder({ description });
      expect(await orderAt(payment.pspRef)).toMatchObject({ subject });
    },
  );

  test('the Alipay adapter reports a payment inside WeChat as rejected', async () => {
    const payer = { scene: 'wechat', clientIp: '127.0.0.1', openId: 'o1' } as const;
    expect(await provider.createPayment(givenRequest({ payer }))).toEqual({
      outcome: 'rejected',
      code: 'not_inside_wechat',
    });
  });

  test('the Alipay adapter throws an error for a payment creation in a currency other than CNY', async () => {
    const money = { amountMinor: 100n, currency: 'USD' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('USD');
  });

  test('the Alipay adapter reports a payment creation as rejected on a signed refusal when Alipay has no order', async () => {
    const code = 'ACQ.ACCESS_FORBIDDEN';
    await world.fault(create, 'other_answer', { body: refusalOf(code) });
    expect(await provider.createPayment(givenRequest())).toEqual({
      outcome: 'rejected',
      code,
      isKeyRefused: false,
    });
  });

  test('the Alipay adapter reports a payment creation with a signed refusal as unknown when the order query has a bad signature', async () => {
    await world.fault(create, 'other_answer', { body: refusalOf('ACQ.ACCESS_FORBIDDEN') });
    await world.fault(query, 'bad_signature');
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
  });

  test('the Alipay adapter reports an attempt id reused for another amount as unknown, not rejected', async () => {
    const { request } = await world.givenOrder();
    const money = { amountMinor: 100n, currency: 'CNY' } as const;
    expect(await provider.createPayment({ ...request, money })).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('the Alipay adapter reports a payment creation signed with an unregistered key as unknown, and the key as refused', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    expect(await world.open({ privateKey }).createPayment(givenRequest())).toMatchObject({
      outcome: 'unknown',
      cause: expect.stringContaining('isv.invalid-signature'),
      isKeyRefused: true,
    });
  });

  test('the Alipay adapter’s payment creation works during a rotation of Alipay’s signing key', async () => {
    await world.outsider.tell('/__sandbox/keys', { signWith: 'alternate' });
    for (let round = 0; round < 4; round += 1) await world.givenOrder();
  });
});

describe('querying an Alipay payment', () => {
  test('the Alipay adapter reports a capture with the amount paid, not the amount requested', async () => {
    const { created, payment } = await world.givenOrder();
    await world.pay(created, { amount: 1 });
    expect(await provider.queryPayment(payment)).toMatchObject({
      captures: [{ money: { amountMinor: 1n, currency: 'CNY' } }],
    });
  });

  test('the Alipay adapter reports a payment whose page no payer has opened as not_found, both queried and closed, and it can be paid later', async () => {
    const { created, payment } = await world.givenOrder();
    expect(await provider.queryPayment(payment)).toEqual({ outcome: 'not_found' });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'not_found' });
    await world.pay(created);
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'complete' });
  });

  test('the Alipay adapter reports an order paid after its expiry as complete', async () => {
    const { created, payment } = await world.givenOrder();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 3600 });
    await world.pay(created, { late: true });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'complete' });
  });

  test('the Alipay adapter reports an order that is not paid in time as closed', async () => {
    const { payment } = await opened();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 3600 });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'closed', captures: [] });
  });

  test('the Alipay adapter still reports a payment past its refund period as complete', async () => {
    const { payment } = await world.givenPayment();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 366 * 86_400 });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'complete' });
  });

  const trade = (reference: PaymentReference, changes: object = {}) =>
    JSON.stringify({
      code: '10000',
      out_trade_no: reference.attemptId.replaceAll('-', ''),
      trade_no: '2026111522001000000000000001',
      trade_status: 'TRADE_SUCCESS',
      total_amount: '648.00',
      send_pay_date: beijing(new Date()),
      ...changes,
    });

  test("the Alipay adapter assigns a query answer without the shop's reference fields to its payment by the order number", async () => {
    const { reference, money } = givenRequest();
    await world.fault(query, 'other_answer', { body: trade(reference) });
    const payment = paymentOf(reference, money);
    expect(await provider.queryPayment(payment)).toMatchObject({ captures: [{ money }] });
  });

  test.each<[string, object]>([
    ['an unknown trade status', { trade_status: 'TRADE_REVERSED' }],
    ['no trade status', { trade_status: undefined }],
    ['another order number', { out_trade_no: 'x'.repeat(32) }],
    ['another reference', { passback_params: 'x' }],
    ['no amount', { total_amount: undefined }],
    ['an amount that is not a number', { total_amount: 'all' }],
    ['a fractional fen', { total_amount: '648.001' }],
    ['a zero amount', { total_amount: '0.00' }],
    ['a negative amount', { total_amount: '-648.00' }],
    ['an amount as a number', { total_amount: 648 }],
    ['another currency', { trans_currency: 'USD' }],
    ['no trade number', { trade_no: undefined }],
    ['a malformed trade number', { trade_no: '../1' }],
  ])(
    'the Alipay adapter reports a payment query answered with %s as unknown',
    async (_what, changes) => {
      const { reference, money } = givenRequest();
      await world.fault(query, 'other_answer', { body: trade(reference, changes) });
      expect(await provider.queryPayment(paymentOf(reference, money))).toMatchObject({
        outcome: 'unknown',
      });
    },
  );

  test.each([
    'bad_signature',
    'altered',
    'unsigned',
    'error_response',
    'other_method',
    'truncated',
    'unavailable',
    'system_error_after_commit',
    'http500_before',
    'cut_after_commit',
    'json404_without_error',
  ])(
    'the Alipay adapter reports a query of a paid order as unknown after the fault %s',
    async (kind) => {
      const { payment } = await world.givenPayment();
      await world.fault(query, kind);
      expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the Alipay adapter reports a payment query refused for a reason other than a missing trade as unknown', async () => {
    const { reference, money } = givenRequest();
    await world.fault(query, 'other_answer', { body: refusalOf('ACQ.INVALID_PARAMETER') });
    expect(await provider.queryPayment(paymentOf(reference, money))).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('the Alipay adapter reports no capture for a capture id that is unknown, malformed or not of the shop', async () => {
    for (const captureId of ['2026111522001999999999999999', 'pi_1', '']) {
      expect(await provider.findCapture(captureId)).toEqual({ outcome: 'not_found' });
    }
    const { reference } = givenRequest();
    const trade_no = '2026111522001000000000000001';
    await world.fault(query, 'other_answer', { body: trade(reference, { trade_no }) });
    expect(await provider.findCapture(trade_no)).toEqual({ outcome: 'not_found' });
    await world.fault(query, 'other_answer', { body: trade(reference) });
    expect(await provider.findCapture('2026111522001000000000000002')).toMatchObject({
      outcome: 'unknown',
    });
  });
});

describe('closing an Alipay payment', () => {
  const close = 'alipay.trade.close';

  test('the Alipay adapter closes the trade at Alipay when asked to close a payment, also when asked again', async () => {
    const { payment } = await opened();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'closed' });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
  });

  test('the Alipay adapter answers a request to close a paid order with already_paid, even after a full refund', async () => {
    const { payment, refundRequest } = await world.givenPayment();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'already_paid' });
    await provider.refund(refundRequest());
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'already_paid' });
  });

  test.each([
    'bad_signature',
    'cut_before',
    'system_error_after_commit',
    'unavailable',
    'truncated',
  ])(
    'the Alipay adapter answers a request to close a payment with unknown after the fault %s',
    async (kind) => {
      const { payment } = await opened();
      await world.fault(close, kind);
      expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
    },
  );

  test("the Alipay adapter reports closing a payment as unknown when Alipay's answer names another order or contradicts its query", async () => {
    const { payment } = await opened();
    await world.fault(close, 'other_answer', { body: '{"code":"10000","out_trade_no":"x"}' });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
    await world.fault(close, 'other_answer', { body: refusalOf('ACQ.TRADE_STATUS_ERROR') });
    const stillOpen = JSON.stringify({
      code: '10000',
      out_trade_no: payment.pspRef,
      total_amount: '648.00',
      trade_no: '2026111522001000000000000001',
      trade_status: 'WAIT_BUYER_PAY',
    });
    await world.fault(query, 'other_answer', { body: stillOpen });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
  });
});

test('the Alipay adapter acknowledges a webhook with the body "success", and that word is not in its refusal of a webhook', () => {
  const { received, refused } = provider.webhookAnswers;
  expect(received).toMatchObject({ status: 200, body: 'success' });
  expect(refused.body).not.toContain('success');
  expect(refused.status).toBeGreaterThanOrEqual(400);
});

/** An order whose payer has opened the payment page and has not paid. */
async function opened() {
  const order = await world.givenOrder({}, world.open({ desktop: 'page' }));
  if (order.action.kind !== 'redirect') throw new Error(order.action.kind);
  await fetch(order.action.url);
  return order;
}

function paymentOf(reference: PaymentReference, money = givenRequest().money) {
  return { pspRef: reference.attemptId.replaceAll('-', ''), reference, money };
}

async function orderAt(pspRef: string) {
  const { sessions } = await world.records();
  return sessions.find(({ out_trade_no }) => out_trade_no === pspRef);
}
