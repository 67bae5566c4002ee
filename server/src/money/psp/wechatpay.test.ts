import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '../../platform/log.ts';
import type { Payer, PaymentProvider, PaymentReference } from './psp.ts';
import {
  appId,
  certificateSerial,
  givenOptions,
  givenRequest,
  mchId,
  notification,
  startWechatpayWorld,
  type WechatpayWorld,
} from './test/wechatpay-world.ts';

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

const query = 'GET /v3/pay/transactions/out-trade-no/:id';
const payer = (scene: Payer['scene'], openId: string | null = null): Payer => ({
  scene,
  clientIp: '203.0.113.7',
  openId,
});

test('a payment lives: opened, paid, told of, asked about, and given back in parts', async () => {
  const { payment, request } = await world.givenOrder();
  expect(await provider.queryPayment(payment)).toMatchObject({ status: 'open', captures: [] });

  await world.pay(payment.pspRef);
  const truth = await provider.queryPayment(payment);
  if (truth.outcome !== 'ok') throw new Error('unknown');
  const [capture] = truth.captures;
  expect(truth).toMatchObject({ status: 'complete', captures: [{ money: request.money }] });
  expect(await subjectOfNews(payment.pspRef)).toEqual({
    pspRef: payment.pspRef,
    reference: request.reference,
  });
  const captureId = capture?.captureId ?? '';
  expect(await provider.findCapture(captureId)).toEqual({
    outcome: 'ok',
    reference: request.reference,
  });

  for (const amountMinor of [100n, 500n]) {
    const asked = {
      refundId: randomUUID(),
      ...{ payment, captureId, money: { amountMinor, currency: 'CNY' } as const },
      reason: 'other' as const,
    };
    expect(await provider.refund(asked)).toEqual({ outcome: 'accepted', state: 'pending' });
    expect(await provider.queryRefund(asked)).toMatchObject({
      refund: { refundId: asked.refundId, isOurs: true, captureId, state: 'done' },
    });
    expect(await subjectOfNews(asked.refundId)).toEqual({ captureId, refundId: asked.refundId });
  }
  expect(await provider.queryPayment(payment)).toMatchObject({
    status: 'complete',
    captures: [{ captureId, money: request.money }],
  });
});

describe('opening a payment', () => {
  test('at a desktop gives a code to scan, with all that the order needs', async () => {
    const { request, payment, action } = await world.givenOrder();
    expect(action).toEqual({
      kind: 'qr',
      content: expect.stringMatching(/^weixin:\/\/wxpay\/bizpayurl\?pr=/),
    });
    const { accountId, paymentId, attemptId } = request.reference;
    expect(payment.pspRef).toBe(attemptId.replaceAll('-', ''));
    expect(await orderAt(payment.pspRef)).toMatchObject({
      scene: 'native',
      ...{ appid: appId, total: 600, currency: 'CNY', description: request.description },
      attach: `${accountId}.${paymentId}.${attemptId}`,
      payment_id: paymentId,
      time_expire: Math.floor(request.expiresAt.getTime() / 1000),
      notify_url: 'http://127.0.0.1:9/webhooks/wechatpay',
    });
  });

  test('is described in any script, and no longer than WeChat takes', async () => {
    const description = `60 星辉碎片 “😀”, ${'很'.repeat(200)}`;
    const { payment } = await world.givenOrder({ description });
    expect(await orderAt(payment.pspRef)).toMatchObject({ description: description.slice(0, 127) });
  });

  test('on a phone leads to WeChat’s page and from there back to the shop', async () => {
    const { request, payment, action } = await world.givenOrder({ payer: payer('mobile') });
    if (action.kind !== 'redirect') throw new Error(action.kind);
    expect(new URL(action.url).searchParams.get('redirect_url')).toBe(request.returnUrl);
    expect((await fetch(action.url)).status).toBe(200);
    expect(await orderAt(payment.pspRef)).toMatchObject({ scene: 'h5' });
  });

  test('again gives a new link, for the first is soon over', async () => {
    const { request, payment, action } = await world.givenOrder({ payer: payer('mobile') });
    const again = await provider.createPayment(request);
    expect(again).toMatchObject({ outcome: 'created', pspRef: payment.pspRef });
    expect(again).not.toMatchObject({ action });
  });

  test('inside WeChat gives what its own sheet asks for, signed by us', async () => {
    const { payment, action } = await world.givenOrder({ payer: payer('wechat', 'oUpF8uMuAJO_1') });
    if (action.kind !== 'wechat_jsapi') throw new Error(action.kind);
    const { params } = action;
    const message = `${params.appId}\n${params.timeStamp}\n${params.nonceStr}\n${params.package}\n`;
    const key = createPublicKey(givenOptions().merchantPrivateKey);
    expect(verify('sha256', Buffer.from(message), key, Buffer.from(params.paySign, 'base64'))).toBe(
      true,
    );
    expect(params).toMatchObject({ appId, signType: 'RSA' });
    expect(await orderAt(payment.pspRef)).toMatchObject({
      scene: 'jsapi',
      openid: 'oUpF8uMuAJO_1',
    });
    expect(await world.outsider.tell('/__sandbox/jsapi', { params })).toEqual({
      err_msg: 'get_brand_wcpay_request:ok',
    });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'complete' });
  });

  test('inside WeChat without a payer is refused before anybody is asked', async () => {
    const { requests } = await world.records();
    expect(await provider.createPayment(givenRequest({ payer: payer('wechat') }))).toEqual({
      outcome: 'rejected',
      code: 'open_id_missing',
    });
    expect((await world.records()).requests).toBe(requests);
  });

  test('again with the same id is the same order', async () => {
    const { request, payment, action } = await world.givenOrder();
    expect(await provider.createPayment(request)).toMatchObject({
      ...{ outcome: 'created', pspRef: payment.pspRef, action },
    });
  });

  test('is rejected where WeChat says why, signs that, and knows of no order', async () => {
    const dear = givenRequest({ money: { amountMinor: 100_000_001n, currency: 'CNY' } });
    expect(await provider.createPayment(dear)).toEqual({
      outcome: 'rejected',
      code: 'PARAM_ERROR',
      isKeyRefused: false,
    });
    const elsewhere = world.open({ appId: 'wx0000000000000000' });
    expect(await elsewhere.createPayment(givenRequest())).toEqual({
      outcome: 'rejected',
      code: 'APPID_MCHID_NOT_MATCH',
      isKeyRefused: false,
    });
  });

  test('is not rejected when the refusal is signed and what follows is not', async () => {
    const dear = givenRequest({ money: { amountMinor: 100_000_001n, currency: 'CNY' } });
    for (const kind of ['http500_before', 'json404_without_error', 'bad_signature', 'unsigned']) {
      await world.fault(query, kind);
      expect(await provider.createPayment(dear)).toMatchObject({ outcome: 'unknown' });
    }
  });

  test('with a key that WeChat does not know is unknown: that answer nobody has signed', async () => {
    const stranger = world.open({ merchantSerial: '0'.repeat(40) });
    expect(await stranger.createPayment(givenRequest())).toMatchObject({
      outcome: 'unknown',
      cause: 'HTTP 401 SIGN_ERROR',
      isKeyRefused: true,
    });
  });

  test('that was paid, closed or is over already leads the payer back to the shop', async () => {
    const paid = await world.givenPayment();
    const closed = await world.givenOrder();
    await provider.closePayment(closed.payment);
    for (const { request, payment } of [paid, closed]) {
      expect(await provider.createPayment(request)).toEqual({
        outcome: 'created',
        pspRef: payment.pspRef,
        action: { kind: 'redirect', url: request.returnUrl },
      });
    }
  });

  test('whose time is over is found if it was made, and rejected if it never was', async () => {
    const expiresAt = new Date(Date.now() + 90_000);
    const { request, payment } = await world.givenOrder({ expiresAt });
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 120 });
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    try {
      // Our clock runs ahead of the answers' by less than what is tolerated.
      expect(await provider.createPayment(request)).toMatchObject({
        outcome: 'created',
        pspRef: payment.pspRef,
        action: { kind: 'redirect', url: request.returnUrl },
      });
      expect(await provider.createPayment(givenRequest({ expiresAt }))).toEqual({
        outcome: 'rejected',
        code: 'INVALID_REQUEST',
        isKeyRefused: false,
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test('is unknown, not rejected, where our id stands for another request', async () => {
    const { request } = await world.givenOrder();
    const other = { ...request, money: { amountMinor: 1n, currency: 'CNY' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('in a currency WeChat does not take is a mistake of ours', async () => {
    const money = { amountMinor: 600n, currency: 'USD' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('USD');
    expect(Object.keys(provider.capabilities.currencies)).toEqual(['CNY']);
  });

  test('refuses an amount that the wire would round', async () => {
    const money = { amountMinor: 9_007_199_254_740_993n, currency: 'CNY' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('does not fit');
  });

  test('asks for answers by the public key, and takes those by the certificate', async () => {
    await world.outsider.tell('/__sandbox/keys', { signWith: 'certificate' });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'created' });
    const old = world.open({ answerSerial: certificateSerial });
    expect(await old.createPayment(givenRequest())).toMatchObject({ outcome: 'created' });
    await world.outsider.tell('/__sandbox/keys', { signWith: 'public_key' });
    const key = givenOptions().platformKeys[certificateSerial] ?? '';
    const unaware = world.open({
      platformKeys: { [certificateSerial]: key },
      answerSerial: certificateSerial,
    });
    expect(await unaware.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
  });
});

describe('asking about a payment', () => {
  test('the money is what was paid, not what was asked for', async () => {
    const { payment } = await world.givenOrder();
    await world.pay(payment.pspRef, { amount: 7, currency: 'JPY' });
    expect(await provider.queryPayment(payment)).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
    const other = await world.givenOrder();
    await world.pay(other.payment.pspRef, { currency: 'GBP' });
    expect(await provider.queryPayment(other.payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('a payer who came in time may pay late, and that is told', async () => {
    const { payment, request } = await world.givenOrder();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 31 * 60 });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'open' });
    await world.pay(payment.pspRef, { late: true });
    expect(await provider.queryPayment(payment)).toMatchObject({
      status: 'complete',
      captures: [{ money: request.money }],
    });
  });

  test('one that is not there is not found', async () => {
    const { reference, money } = givenRequest();
    expect(await provider.queryPayment(paymentOf(reference, money))).toEqual({
      outcome: 'not_found',
    });
    expect(await provider.findCapture('4200000000202611150000000001')).toEqual({
      outcome: 'not_found',
    });
    expect(await provider.findCapture('../../refund')).toEqual({ outcome: 'not_found' });
  });

  const silences = [
    ...['http500_before', 'http500_after_commit', 'cut_before', 'cut_after_commit'],
    ...['json404_without_error', 'frequency_limited', 'bad_signature', 'signtest'],
    ...['stale_signature', 'future_signature', 'unknown_serial', 'unsigned', 'truncated'],
    ...['empty_200', 'html_200'],
  ];

  test.each(silences)('is unknown after %s', async (kind) => {
    const { payment, captureId } = await world.givenPayment();
    await world.fault(query, kind);
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    await world.fault('GET /v3/pay/transactions/id/:id', kind);
    expect(await provider.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
  });

  test.each<[string, object, object?]>([
    ['another order', { out_trade_no: 'x'.repeat(32) }],
    ['another merchant', { mchid: '1900000110' }],
    ['another application', { appid: 'wx0' }],
    ['another reference', { attach: 'x' }],
    ['a state nobody knows', { trade_state: 'PAYERROR' }],
    ['money without a payment', { transaction_id: undefined }],
    ['a payment without money', { amount: undefined }],
    ['half a fen', { amount: { total: 0.5, currency: 'CNY' } }],
    ['an amount as text', { amount: { total: '600', currency: 'CNY' } }],
    ['a refusal that is none', { code: 'PARAM_ERROR' }, { status: 400 }],
    ['a 404 that nobody signed', { code: 'ORDER_NOT_EXIST' }, { status: 404, isUnsigned: true }],
  ])('a reply about %s is unknown', async (_what, changes, more = {}) => {
    const { payment } = await world.givenPayment();
    const reply = {
      ...{ appid: appId, mchid: mchId, out_trade_no: payment.pspRef, trade_state: 'SUCCESS' },
      transaction_id: '4200000000202611150000000001',
      amount: { total: 600, currency: 'CNY' },
      ...changes,
    };
    await world.fault(query, 'other_answer', { body: JSON.stringify(reply), ...more });
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('a reply about another order is unknown even with our reference', async () => {
    const { payment, request } = await world.givenPayment();
    const { accountId, paymentId, attemptId } = request.reference;
    const reply = {
      ...{ appid: appId, mchid: mchId, out_trade_no: 'x'.repeat(32), trade_state: 'NOTPAY' },
      attach: [accountId, paymentId, attemptId].join('.'),
    };
    await world.fault(query, 'other_answer', { body: JSON.stringify(reply) });
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('an order that is not paid may come back without our reference', async () => {
    const { payment } = await world.givenOrder();
    const reply = {
      appid: appId,
      mchid: mchId,
      out_trade_no: payment.pspRef,
      trade_state: 'NOTPAY',
    };
    await world.fault(query, 'other_answer', { body: JSON.stringify(reply) });
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'ok', status: 'open' });
  });

  test('a payment of somebody else under our merchant is not ours to find', async () => {
    const { payment, captureId } = await world.givenPayment();
    const { reference } = givenRequest();
    expect(await provider.queryPayment({ ...payment, reference })).toMatchObject({
      outcome: 'unknown',
    });
    const foreign = {
      appid: appId,
      mchid: mchId,
      out_trade_no: 'theirs',
      transaction_id: captureId,
    };
    const body = JSON.stringify({ ...foreign, trade_state: 'SUCCESS', amount: {} });
    await world.fault('GET /v3/pay/transactions/id/:id', 'other_answer', { body });
    expect(await provider.findCapture(captureId)).toEqual({ outcome: 'not_found' });
  });
});

test('answers what WeChat wants to hear', () => {
  expect(provider.webhookAnswers.received).toMatchObject({ status: 204, body: '' });
  const { status, body } = provider.webhookAnswers.refused;
  expect(status).toBeGreaterThanOrEqual(400);
  expect(JSON.parse(body)).toMatchObject({ code: 'FAIL' });
});

function paymentOf(reference: PaymentReference, money = givenRequest().money) {
  return { pspRef: reference.attemptId.replaceAll('-', ''), reference, money };
}

async function orderAt(pspRef: string) {
  const { sessions } = await world.records();
  return sessions.find(({ out_trade_no }) => out_trade_no === pspRef);
}

/** Whom the newest event about this number means, sent as WeChat sends it. */
async function subjectOfNews(number: string) {
  const { events } = await world.records();
  const about = events.find(({ data }) => {
    const { out_refund_no, out_trade_no } = data.object;
    return (out_refund_no ?? out_trade_no) === number;
  });
  if (about === undefined) throw new Error(`nobody told of ${number}`);
  const { id, ...content } = about.data.object;
  const parsed = await provider.parseWebhook(notification(content, { type: about.type }));
  return parsed.ok ? parsed.events[0]?.subject : parsed.reason;
}
