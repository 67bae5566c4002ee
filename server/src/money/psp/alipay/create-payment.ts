import { toDecimalString } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { beijingTime } from '../beijing-time.ts';
import type { CreateResult, PaymentRequest } from '../psp.ts';
import { joinedReference, orderNumberOf } from '../references.ts';
import { misshapen } from '../replies.ts';
import { type Client, isKeyRefusal } from './client.ts';
import type { AlipayOptions } from './options.ts';
import { queryPayment } from './payments.ts';

const subjectLengthMax = 256;

/**
 * Creates a payment by scene. A phone is sent to Alipay's page, which opens the app. A desktop is sent to
 * Alipay's page too, where the payer scans a code or signs in; its URL is made without a call, so it
 * cannot fail. With a QR code contract the shop shows the code itself.
 */
export async function createPayment(
  client: Client,
  options: AlipayOptions,
  request: PaymentRequest,
): Promise<CreateResult> {
  if (request.money.currency !== 'CNY') {
    throw new Error(`Alipay does not take ${request.money.currency}`);
  }
  const content = contentOf(request);
  const addresses = { notifyUrl: options.notifyUrl, returnUrl: request.returnUrl };
  const toPage = (method: string, more: object): CreateResult => {
    const url = client.addressOf(method, { ...content, ...more }, addresses);
    const pspRef = orderNumberOf(request.reference);
    return { outcome: 'created', pspRef, action: { kind: 'redirect', url }, wasAsked: false };
  };
  switch (request.payer.scene) {
    case 'wechat':
      return { outcome: 'rejected', code: 'not_inside_wechat' };
    case 'mobile':
      return toPage('alipay.trade.wap.pay', {
        product_code: 'QUICK_WAP_WAY',
        quit_url: request.returnUrl,
      });
    case 'desktop':
      return options.desktop === 'page'
        ? toPage('alipay.trade.page.pay', { product_code: 'FAST_INSTANT_TRADE_PAY' })
        : await createCode(client, options, { request, content });
  }
}

/** The same for every retry, because Alipay refuses the same number with other content. */
function contentOf({ reference, money, description, expiresAt }: PaymentRequest) {
  return {
    out_trade_no: orderNumberOf(reference),
    total_amount: toDecimalString(money),
    subject: subjectOf(description),
    time_expire: beijingTime(expiresAt),
    passback_params: joinedReference(reference),
  };
}

/** Alipay refuses the characters that have a meaning in a URL. */
function subjectOf(description: string): string {
  const words = description.replaceAll(/[/=&\p{Cc}]/gu, ' ').slice(0, subjectLengthMax);
  return words.toWellFormed().trim() || 'Order';
}

const Code = z.object({
  out_trade_no: z.string(),
  qr_code: z.url({ protocol: /^https$/, hostname: /(^|\.)alipay\.com$/ }),
});

async function createCode(
  client: Client,
  options: AlipayOptions,
  { request, content }: { request: PaymentRequest; content: { out_trade_no: string } },
): Promise<CreateResult> {
  const reply = await client.ask(
    'alipay.trade.precreate',
    { ...content, product_code: 'QR_CODE_OFFLINE' },
    { notifyUrl: options.notifyUrl },
  );
  if (reply.outcome === 'unknown') return reply;
  if (reply.outcome === 'refused') return await judgeRefusal(client, request, reply.code);
  const code = Code.safeParse(reply.value);
  if (!code.success) return misshapen('code', code.error);
  const pspRef = orderNumberOf(request.reference);
  if (code.data.out_trade_no !== pspRef) {
    return { outcome: 'unknown', cause: 'a reply about another order' };
  }
  return { outcome: 'created', pspRef, action: { kind: 'qr', content: code.data.qr_code } };
}

/** Refusals because a trade with this number exists. */
const existingCodes = /TRADE_HAS|CONTEXT_INCONSISTENT|EXIST|REPEAT/;

/**
 * Handles a refused create. It is rejected only if a query finds no trade: a QR code whose answer was lost
 * was shown to nobody. A trade that is already paid or closed was created earlier, so the payer returns to
 * the shop, which queries it.
 */
async function judgeRefusal(
  client: Client,
  request: PaymentRequest,
  code: string,
): Promise<CreateResult> {
  const { reference, money } = request;
  const pspRef = orderNumberOf(reference);
  const truth = await queryPayment(client, { pspRef, reference, money });
  if (truth.outcome === 'not_found') {
    return existingCodes.test(code)
      ? { outcome: 'unknown', cause: `${code} about an order that does not exist` }
      : { outcome: 'rejected', code, isKeyRefused: isKeyRefusal(code) };
  }
  if (truth.outcome === 'unknown') {
    const cause = `${code}, ${truth.cause}`;
    return { outcome: 'unknown', cause, isKeyRefused: isKeyRefusal(code) };
  }
  const isOver = truth.status !== 'open' || request.expiresAt <= new Date();
  return isOver
    ? { outcome: 'created', pspRef, action: { kind: 'redirect', url: request.returnUrl } }
    : { outcome: 'unknown', cause: `${code} about an order that exists` };
}
