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

test('a payment lives: opened, paid, told of, asked about, and given back in parts', async () => {
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
  // The trade is closed now, and it was paid all the same.
  expect(await heard.queryPayment(payment)).toMatchObject({
    status: 'complete',
    captures: [{ captureId, money: request.money }],
  });
  await expect
    .poll(async () => (await world.records()).webhookDeliveries.slice(0, 3))
    .toMatchObject([{ outcome: 'delivered' }, { outcome: 'delivered' }, { outcome: 'delivered' }]);
  await listener.stop();
});

test('says what it can do: yuan, at a desktop and on a phone, and nobody takes money back', () => {
  expect(alipayCapabilities).toMatchObject({
    currencies: { CNY: { decimals: 2 } },
    scenes: ['desktop', 'mobile'],
    captures: 'by_itself',
    partialRefunds: true,
    disputes: false,
  });
  expect(Object.keys(alipayCapabilities.currencies)).toEqual(['CNY']);
});

describe('opening a payment', () => {
  test('at a desktop shows a code where the contract is about codes', async () => {
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
    ['at a desktop', 'page', {}, null],
    ['on a phone', 'wap', onPhone, 'http://localhost/main/recharge/detail/1?from=pay'],
  ] as const)(
    '%s leads to Alipay’s page, in one signed address',
    async (_where, scene, more, quit) => {
      const before = (await world.records()).requests;
      const page = world.open({ desktop: 'page' });
      const { request, payment, action } = await world.givenOrder(more, page);
      if (action.kind !== 'redirect') throw new Error(action.kind);
      // Nobody was asked, and nobody knows of it before the payer comes.
      expect((await world.records()).requests).toBe(before);
      expect(await orderAt(payment.pspRef)).toBeUndefined();
      expect((await fetch(action.url)).status).toBe(200);
      expect(await orderAt(payment.pspRef)).toMatchObject({
        ...{ scene, total: 64_800, return_url: request.returnUrl, quit_url: quit },
        time_expire: Math.floor(request.expiresAt.getTime() / 1000),
      });
      expect(await provider.queryPayment(payment)).toMatchObject({ status: 'open', captures: [] });
    },
  );

  test('tells the time of Beijing, wherever the shop is', async () => {
    const { action } = await world.givenOrder(onPhone);
    if (action.kind !== 'redirect') throw new Error(action.kind);
    const said = new URL(action.url).searchParams.get('timestamp') ?? '';
    expect(Math.abs(Date.parse(`${said.replace(' ', 'T')}+08:00`) - Date.now())).toBeLessThan(
      60_000,
    );
  });

  test('an address in which anything was changed opens nothing', async () => {
    const { payment, action } = await world.givenOrder(onPhone);
    if (action.kind !== 'redirect') throw new Error(action.kind);
    const cheaper = action.url.replace('648.00', '6.48');
    expect(cheaper).not.toBe(action.url);
    expect((await fetch(cheaper)).status).toBe(400);
    expect(await orderAt(payment.pspRef)).toBeUndefined();
  });

  test.each([
    ['letters of an address', 'a/b=c&d', 'a b c d'],
    ['another script', '60 星辉碎片 “😀” 100%', '60 星辉碎片 “😀” 100%'],
    ['too many words', '很'.repeat(300), '很'.repeat(256)],
    ['nothing', ' ', 'Order'],
  ])('described by %s', async (_what, description, subject) => {
    const { payment } = await world.givenOrder({ description });
    expect(await orderAt(payment.pspRef)).toMatchObject({ subject });
  });

  test('inside WeChat is refused before anybody is asked', async () => {
    const payer = { scene: 'wechat', clientIp: '127.0.0.1', openId: 'o1' } as const;
    expect(await provider.createPayment(givenRequest({ payer }))).toEqual({
      outcome: 'rejected',
      code: 'not_inside_wechat',
    });
  });

  test('in a currency Alipay does not take is a mistake of ours', async () => {
    const money = { amountMinor: 100n, currency: 'USD' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('USD');
  });

  test('is rejected where Alipay says why, signs that, and knows of no order', async () => {
    const code = 'ACQ.ACCESS_FORBIDDEN';
    await world.fault(create, 'other_answer', { body: refusalOf(code) });
    expect(await provider.createPayment(givenRequest())).toEqual({
      ...{ outcome: 'rejected', code },
      isKeyRefused: false,
    });
  });

  test('is not rejected when the refusal is signed and what follows is not', async () => {
    await world.fault(create, 'other_answer', { body: refusalOf('ACQ.ACCESS_FORBIDDEN') });
    await world.fault(query, 'bad_signature');
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
  });

  test('is unknown, not rejected, where our id stands for another request', async () => {
    const { request } = await world.givenOrder();
    const money = { amountMinor: 100n, currency: 'CNY' } as const;
    expect(await provider.createPayment({ ...request, money })).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('with a key that Alipay does not know is unknown: it does not say what there is either', async () => {
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

  test('works through a change of Alipay’s key, whichever signs', async () => {
    await world.outsider.tell('/__sandbox/keys', { signWith: 'alternate' });
    for (let round = 0; round < 4; round += 1) await world.givenOrder();
  });
});

describe('asking about a payment', () => {
  test('the money is what was paid, not what was asked for', async () => {
    const { created, payment } = await world.givenOrder();
    await world.pay(created, { amount: 1 });
    expect(await provider.queryPayment(payment)).toMatchObject({
      captures: [{ money: { amountMinor: 1n, currency: 'CNY' } }],
    });
  });

  test('one to which no payer has come is not found, and can be paid all the same', async () => {
    const { created, payment } = await world.givenOrder();
    expect(await provider.queryPayment(payment)).toEqual({ outcome: 'not_found' });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'not_found' });
    await world.pay(created);
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'complete' });
  });

  test('one that was paid after its end is told of', async () => {
    const { created, payment } = await world.givenOrder();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 3600 });
    await world.pay(created, { late: true });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'complete' });
  });

  test('one that nobody paid in time is closed', async () => {
    const { payment } = await opened();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 3600 });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'closed', captures: [] });
  });

  test('one that can no longer be given back is still paid', async () => {
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

  test('an answer without what we sent along is ours by its number', async () => {
    const { reference, money } = givenRequest();
    await world.fault(query, 'other_answer', { body: trade(reference) });
    const payment = paymentOf(reference, money);
    expect(await provider.queryPayment(payment)).toMatchObject({ captures: [{ money }] });
  });

  test.each<[string, object]>([
    ['a state we do not know', { trade_status: 'TRADE_REVERSED' }],
    ['no state', { trade_status: undefined }],
    ['another order', { out_trade_no: 'x'.repeat(32) }],
    ['another reference', { passback_params: 'x' }],
    ['no amount', { total_amount: undefined }],
    ['an amount that is none', { total_amount: 'all' }],
    ['an amount with parts of a fen', { total_amount: '648.001' }],
    ['an amount of nothing', { total_amount: '0.00' }],
    ['an amount below nothing', { total_amount: '-648.00' }],
    ['an amount as a number', { total_amount: 648 }],
    ['another currency', { trans_currency: 'USD' }],
    ['a trade without a number', { trade_no: undefined }],
    ['a trade whose number is none', { trade_no: '../1' }],
  ])('an answer with %s is unknown', async (_what, changes) => {
    const { reference, money } = givenRequest();
    await world.fault(query, 'other_answer', { body: trade(reference, changes) });
    expect(await provider.queryPayment(paymentOf(reference, money))).toMatchObject({
      outcome: 'unknown',
    });
  });

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
  ])('an answer with %s is unknown, although it was paid', async (kind) => {
    const { payment } = await world.givenPayment();
    await world.fault(query, kind);
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('a refusal other than that there is none is unknown', async () => {
    const { reference, money } = givenRequest();
    await world.fault(query, 'other_answer', { body: refusalOf('ACQ.INVALID_PARAMETER') });
    expect(await provider.queryPayment(paymentOf(reference, money))).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('a capture that is not there, is none, or is somebody else’s is not found', async () => {
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

describe('closing a payment', () => {
  const close = 'alipay.trade.close';

  test('closes the trade, and a closed one stays closed', async () => {
    const { payment } = await opened();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'closed' });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
  });

  test('one that was paid says so, even when all of it has gone back', async () => {
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
  ])('is unknown after %s', async (kind) => {
    const { payment } = await opened();
    await world.fault(close, kind);
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
  });

  test('is unknown where the answer is about another order, or fits nothing', async () => {
    const { payment } = await opened();
    await world.fault(close, 'other_answer', { body: '{"code":"10000","out_trade_no":"x"}' });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
    await world.fault(close, 'other_answer', { body: refusalOf('ACQ.TRADE_STATUS_ERROR') });
    const stillOpen = JSON.stringify({
      ...{ code: '10000', out_trade_no: payment.pspRef, total_amount: '648.00' },
      ...{ trade_no: '2026111522001000000000000001', trade_status: 'WAIT_BUYER_PAY' },
    });
    await world.fault(query, 'other_answer', { body: stillOpen });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
  });
});

test('answers what Alipay wants to hear: one word, and another to refuse', () => {
  const { received, refused } = provider.webhookAnswers;
  expect(received).toMatchObject({ status: 200, body: 'success' });
  expect(refused.body).not.toContain('success');
  expect(refused.status).toBeGreaterThanOrEqual(400);
});

/** An order whose payer has come and not paid. */
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
