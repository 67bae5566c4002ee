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

test('the WeChat adapter creates, queries and refunds a payment and reads each step from webhooks', async () => {
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
      payment,
      captureId,
      money: { amountMinor, currency: 'CNY' } as const,
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

describe('opening a WeChat payment', () => {
  test('the WeChat adapter returns a QR code on a desktop for an order with the amount, references and expiry', async () => {
    const { request, payment, action } = await world.givenOrder();
    expect(action).toEqual({
      kind: 'qr',
      content: expect.stringMatching(/^weixin:\/\/wxpay\/bizpayurl\?pr=/),
    });
    const { accountId, paymentId, attemptId } = request.reference;
    expect(payment.pspRef).toBe(attemptId.replaceAll('-', ''));
    expect(await orderAt(payment.pspRef)).toMatchObject({
      scene: 'native',
      appid: appId,
      total: 600,
      currency: 'CNY',
      description: request.description,
      attach: `${accountId}.${paymentId}.${attemptId}`,
      payment_id: paymentId,
      time_expire: Math.floor(request.expiresAt.getTime() / 1000),
      notify_url: 'http://127.0.0.1:9/webhooks/wechatpay',
    });
  });

  test('the WeChat adapter sends an order description with Chinese characters and emoji, cut to 127 characters', async () => {
    const description = `60 星辉碎片 “😀”, ${'很'.repeat(200)}`;
    const { payment } = await world.givenOrder({ description });
    expect(await orderAt(payment.pspRef)).toMatchObject({ description: description.slice(0, 127) });
  });

  test('the WeChat adapter redirects a payment on a phone to WeChat’s page with the return URL', async () => {
    const { request, payment, action } = await world.givenOrder({ payer: payer('mobile') });
    if (action.kind !== 'redirect') throw new Error(action.kind);
    expect(new URL(action.url).searchParams.get('redirect_url')).toBe(request.returnUrl);
    expect((await fetch(action.url)).status).toBe(200);
    expect(await orderAt(payment.pspRef)).toMatchObject({ scene: 'h5' });
  });

  test('the WeChat adapter’s payment creation repeated on a phone returns a new payment link to the same order', async () => {
    const { request, payment, action } = await world.givenOrder({ payer: payer('mobile') });
    const again = await provider.createPayment(request);
    expect(again).toMatchObject({ outcome: 'created', pspRef: payment.pspRef });
    expect(again).not.toMatchObject({ action });
  });

  test("the WeChat adapter returns parameters for WeChat's in-app payment (JSAPI) that are signed with the merchant key", async () => {
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

  test('the WeChat adapter rejects a payment inside WeChat for a player without an open id and does not call WeChat', async () => {
    const { requests } = await world.records();
    expect(await provider.createPayment(givenRequest({ payer: payer('wechat') }))).toEqual({
      outcome: 'rejected',
      code: 'open_id_missing',
    });
    expect((await world.records()).requests).toBe(requests);
  });

  test('the WeChat adapter’s payment creation repeated with the same attempt id returns the same order', async () => {
    const { request, payment, action } = await world.givenOrder();
    expect(await provider.createPayment(request)).toMatchObject({
      outcome: 'created',
      pspRef: payment.pspRef,
      action,
    });
  });

  test('the WeChat adapter reports a payment creation as rejected on a signed refusal when WeChat has no order', async () => {
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

  test('the WeChat adapter reports a payment creation with a signed refusal as unknown when the order query fails or is unsigned', async () => {
    const dear = givenRequest({ money: { amountMinor: 100_000_001n, currency: 'CNY' } });
    for (const kind of ['http500_before', 'json404_without_error', 'bad_signature', 'unsigned']) {
      await world.fault(query, kind);
      expect(await provider.createPayment(dear)).toMatchObject({ outcome: 'unknown' });
    }
  });

  test('the WeChat adapter reports a payment creation with an unknown merchant key as unknown, and the key as refused', async () => {
    const stranger = world.open({ merchantSerial: '0'.repeat(40) });
    expect(await stranger.createPayment(givenRequest())).toMatchObject({
      outcome: 'unknown',
      cause: 'HTTP 401 SIGN_ERROR',
      isKeyRefused: true,
    });
  });

  test('the WeChat adapter sends the payer back to the shop when the order to be created is already paid or closed at WeChat', async () => {
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

  test('the WeChat adapter finds an order created before its expiry when asked to create it afterwards, and creates no new one then', async () => {
    const expiresAt = new Date(Date.now() + 90_000);
    const { request, payment } = await world.givenOrder({ expiresAt });
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 120 });
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    try {
      // The shop's clock is ahead of the signed answers by less than the tolerance.
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

  test('the WeChat adapter reports an attempt id reused for another amount as unknown, not rejected', async () => {
    const { request } = await world.givenOrder();
    const other = { ...request, money: { amountMinor: 1n, currency: 'CNY' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('the WeChat adapter throws an error for a payment creation in a currency other than CNY', async () => {
    const money = { amountMinor: 600n, currency: 'USD' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('USD');
    expect(Object.keys(provider.capabilities.currencies)).toEqual(['CNY']);
  });

  test('the WeChat adapter throws an error for a payment creation with an amount above the safe integer range', async () => {
    const money = { amountMinor: 9_007_199_254_740_993n, currency: 'CNY' } as const;
    await expect(provider.createPayment(givenRequest({ money }))).rejects.toThrow('does not fit');
  });

  test("the WeChat adapter accepts answers signed with WeChat's public key or certificate only if that key is configured", async () => {
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

describe('querying a WeChat payment', () => {
  test('the WeChat adapter reports a capture with the amount and currency paid, and one in an unsupported currency as unknown', async () => {
    const { payment } = await world.givenOrder();
    await world.pay(payment.pspRef, { amount: 7, currency: 'JPY' });
    expect(await provider.queryPayment(payment)).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
    const other = await world.givenOrder();
    await world.pay(other.payment.pspRef, { currency: 'GBP' });
    expect(await provider.queryPayment(other.payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('the WeChat adapter reports an order paid after its expiry as complete', async () => {
    const { payment, request } = await world.givenOrder();
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 31 * 60 });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'open' });
    await world.pay(payment.pspRef, { late: true });
    expect(await provider.queryPayment(payment)).toMatchObject({
      status: 'complete',
      captures: [{ money: request.money }],
    });
  });

  test('the WeChat adapter reports an order or capture that does not exist as not found', async () => {
    const { reference, money } = givenRequest();
    expect(await provider.queryPayment(paymentOf(reference, money))).toEqual({
      outcome: 'not_found',
    });
    expect(await provider.findCapture('4200000000202611150000000001')).toEqual({
      outcome: 'not_found',
    });
    expect(await provider.findCapture('../../refund')).toEqual({ outcome: 'not_found' });
  });

  const faults = [
    ...['http500_before', 'http500_after_commit', 'cut_before', 'cut_after_commit'],
    ...['json404_without_error', 'frequency_limited', 'bad_signature', 'signtest'],
    ...['stale_signature', 'future_signature', 'unknown_serial', 'unsigned', 'truncated'],
    ...['empty_200', 'html_200'],
  ];

  test.each(faults)(
    'the WeChat adapter reports a queried payment and a capture looked up by its id as unknown after the fault %s',
    async (kind) => {
      const { payment, captureId } = await world.givenPayment();
      await world.fault(query, kind);
      expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
      await world.fault('GET /v3/pay/transactions/id/:id', kind);
      expect(await provider.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test.each<[string, object, object?]>([
    ['another order number', { out_trade_no: 'x'.repeat(32) }],
    ['another merchant id', { mchid: '1900000110' }],
    ['another app id', { appid: 'wx0' }],
    ['another reference', { attach: 'x' }],
    ['an unknown trade state', { trade_state: 'PAYERROR' }],
    ['no transaction id', { transaction_id: undefined }],
    ['no amount', { amount: undefined }],
    ['a fractional fen', { amount: { total: 0.5, currency: 'CNY' } }],
    ['an amount as text', { amount: { total: '600', currency: 'CNY' } }],
    ['a signed 400', { code: 'PARAM_ERROR' }, { status: 400 }],
    ['an unsigned 404', { code: 'ORDER_NOT_EXIST' }, { status: 404, isUnsigned: true }],
  ])(
    'the WeChat adapter reports a payment query answered with %s as unknown',
    async (_what, changes, more = {}) => {
      const { payment } = await world.givenPayment();
      const reply = {
        appid: appId,
        mchid: mchId,
        out_trade_no: payment.pspRef,
        trade_state: 'SUCCESS',
        transaction_id: '4200000000202611150000000001',
        amount: { total: 600, currency: 'CNY' },
        ...changes,
      };
      await world.fault(query, 'other_answer', { body: JSON.stringify(reply), ...more });
      expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the WeChat adapter reports a query answered with the shop’s reference and another order number as unknown', async () => {
    const { payment, request } = await world.givenPayment();
    const { accountId, paymentId, attemptId } = request.reference;
    const reply = {
      appid: appId,
      mchid: mchId,
      out_trade_no: 'x'.repeat(32),
      trade_state: 'NOTPAY',
      attach: [accountId, paymentId, attemptId].join('.'),
    };
    await world.fault(query, 'other_answer', { body: JSON.stringify(reply) });
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('the WeChat adapter reports an unpaid order as open although WeChat’s answer omits the shop’s reference', async () => {
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

  test('the WeChat adapter reports a payment of another shop as unknown when queried, and as not_found when looked up by capture id', async () => {
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

test('the WeChat adapter answers a received webhook with an empty 204 and a refused webhook with the code FAIL', () => {
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

/** The subject of the newest notification about an order or refund number. */
async function subjectOfNews(number: string) {
  const { events } = await world.records();
  const about = events.find(({ data }) => {
    const { out_refund_no, out_trade_no } = data.object;
    return (out_refund_no ?? out_trade_no) === number;
  });
  if (about === undefined) throw new Error(`no event about ${number}`);
  const { id, ...content } = about.data.object;
  const parsed = await provider.parseWebhook(notification(content, { type: about.type }));
  return parsed.ok ? parsed.events[0]?.subject : parsed.reason;
}
