import { toSafeNumber } from '@pointgate/contract/money.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { Formatter, Rsa } from 'wechatpay-axios-plugin';
import { z } from 'zod';
import type { CreateResult, PaymentRequest } from '../psp.ts';
import { joinedReference, orderNumberOf } from '../references.ts';
import { misshapen } from '../replies.ts';
import type { Client, Question, Reply } from './client.ts';
import type { WechatpayOptions } from './options.ts';
import { queryPayment } from './payments.ts';

const descriptionLengthMax = 127;

/**
 * Creates an order by scene: JSAPI inside WeChat, WeChat's page on a phone, a QR code elsewhere. A retry
 * with the same number returns the same order.
 */
export async function createPayment(
  client: Client,
  options: WechatpayOptions,
  request: PaymentRequest,
): Promise<CreateResult> {
  if (request.money.currency !== 'CNY') {
    throw new Error(`WeChat Pay does not take ${request.money.currency}`);
  }
  if (request.payer.scene === 'wechat' && request.payer.openId === null) {
    return { outcome: 'rejected', code: 'open_id_missing' };
  }
  const question = questionOf(options, request);
  const reply = await askAgainIfForged(client, question);
  switch (reply.outcome) {
    case 'ok':
      return createdOf(options, request, reply.value);
    case 'refused':
      return await judgeRefusal(client, options, { request, ...reply });
    case 'unknown':
      return { outcome: 'unknown', cause: reply.cause, isKeyRefused: reply.isKeyRefused === true };
  }
}

/** WeChat signs some answers wrongly on purpose to test the check, so one wrong signature is retried. */
async function askAgainIfForged(client: Client, question: Question): Promise<Reply> {
  const reply = await client.ask(question);
  return reply.outcome === 'unknown' && reply.isForged ? await client.ask(question) : reply;
}

/**
 * Handles a refused create. It is rejected only if a query finds no order. An order that is already paid or
 * closed was created earlier, so the payer returns to the shop, which queries it.
 */
async function judgeRefusal(
  client: Client,
  options: WechatpayOptions,
  { request, code, isKeyRefused }: { request: PaymentRequest; code: string; isKeyRefused: boolean },
): Promise<CreateResult> {
  const { reference, money } = request;
  const pspRef = orderNumberOf(reference);
  const truth = await queryPayment(client, options, { pspRef, reference, money });
  if (truth.outcome === 'not_found') return { outcome: 'rejected', code, isKeyRefused };
  if (truth.outcome === 'unknown') {
    return { outcome: 'unknown', cause: `${code}, ${truth.cause}`, isKeyRefused };
  }
  const isOver = truth.status !== 'open' || request.expiresAt <= new Date();
  return isOver
    ? { outcome: 'created', pspRef, action: { kind: 'redirect', url: request.returnUrl } }
    : { outcome: 'unknown', cause: `${code} about an order that exists` };
}

function questionOf(options: WechatpayOptions, request: PaymentRequest): Question {
  const { reference, money, payer } = request;
  const body = {
    appid: options.appId,
    mchid: options.mchId,
    description: request.description.slice(0, descriptionLengthMax).toWellFormed(),
    out_trade_no: orderNumberOf(reference),
    time_expire: `${request.expiresAt.toISOString().slice(0, 19)}+00:00`,
    attach: joinedReference(reference),
    notify_url: options.notifyUrl,
    amount: { total: toSafeNumber(money.amountMinor), currency: 'CNY' },
  };
  const scene_info = { payer_client_ip: payer.clientIp };
  const method = 'POST';
  switch (payer.scene) {
    case 'wechat':
      return {
        method,
        path: 'v3/pay/transactions/jsapi',
        body: { ...body, scene_info, payer: { openid: payer.openId } },
      };
    case 'mobile':
      return {
        method,
        path: 'v3/pay/transactions/h5',
        body: { ...body, scene_info: { ...scene_info, h5_info: { type: 'Wap' } } },
      };
    case 'desktop':
      return { method, path: 'v3/pay/transactions/native', body: { ...body, scene_info } };
  }
}

const Opened = {
  wechat: z.object({ prepay_id: z.string().regex(/^\w{1,64}$/) }),
  mobile: z.object({ h5_url: z.url({ protocol: /^https?$/ }) }),
  desktop: z.object({ code_url: z.string().startsWith('weixin://') }),
};

/** How long WeChat accepts an action that it issued. */
const goodForMs = { wechat: 2 * 3600_000, mobile: 5 * 60_000, desktop: 2 * 3600_000 };
/** The time that a payer still has who receives the action at the last moment. */
const handingOnMs = 60_000;

function createdOf(
  options: WechatpayOptions,
  request: PaymentRequest,
  value: unknown,
): CreateResult {
  const pspRef = orderNumberOf(request.reference);
  const { scene } = request.payer;
  const made = (action: PaymentAction): CreateResult => ({
    outcome: 'created',
    pspRef,
    action,
    actionEndsAt: new Date(Date.now() + goodForMs[scene] - handingOnMs),
  });
  switch (scene) {
    case 'wechat': {
      const opened = Opened.wechat.safeParse(value);
      if (!opened.success) return misshapen('prepayment', opened.error);
      return made(sheetOf(options, opened.data.prepay_id));
    }
    case 'mobile': {
      const opened = Opened.mobile.safeParse(value);
      if (!opened.success) return misshapen('link', opened.error);
      const url = new URL(opened.data.h5_url);
      url.searchParams.set('redirect_url', request.returnUrl);
      return made({ kind: 'redirect', url: url.href });
    }
    case 'desktop': {
      const opened = Opened.desktop.safeParse(value);
      if (!opened.success) return misshapen('code', opened.error);
      return made({ kind: 'qr', content: opened.data.code_url });
    }
  }
}

/** The signed parameters that the page passes to WeChat's JSAPI. */
function sheetOf({ appId, merchantPrivateKey }: WechatpayOptions, prepayId: string): PaymentAction {
  const timeStamp = String(Formatter.timestamp());
  const nonceStr = Formatter.nonce();
  const prepayment = `prepay_id=${prepayId}`;
  const message = Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, prepayment);
  return {
    kind: 'wechat_jsapi',
    params: {
      appId,
      timeStamp,
      nonceStr,
      package: prepayment,
      signType: 'RSA',
      paySign: Rsa.sign(message, merchantPrivateKey),
    },
  };
}
