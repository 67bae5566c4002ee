import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { startOutsider } from '../../../../test/world.ts';
import type { AdyenOptions } from '../adyen/options.ts';
import { openAdyen } from '../adyen.ts';
import type { PaymentReference, PaymentRequest, RawWebhook } from '../psp.ts';
import { captureIn, controlOf, givenCreated, paymentRequest, refundsOf } from './payments.ts';

export const merchantAccount = 'PointgateECOM';
export const hmacKeys = [
  '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  '8E4F2A7BDE10C94C3D2B1A60F7E8D9C4B5A69788776655443322110FFEEDDCC0',
];

export function givenOptions(changes: Partial<AdyenOptions> = {}): AdyenOptions {
  return { apiKey: 'AQE_key', merchantAccount, environment: 'test', hmacKeys, ...changes };
}

/** The running sandbox and an adapter connected to it. */
export async function startAdyenWorld() {
  const outsider = await startOutsider('adyen', {
    ADYEN_API_KEY: 'AQE_key',
    ADYEN_MERCHANT_ACCOUNT: merchantAccount,
    ADYEN_HMAC_KEYS: hmacKeys.join(','),
  });
  const open = (changes: Partial<AdyenOptions> = {}) =>
    openAdyen(givenOptions({ apiBase: outsider.url, ...changes }));
  const provider = open();
  const { pay, fault } = controlOf(outsider);
  const givenSession = (changes: Partial<PaymentRequest> = {}) =>
    givenCreated(provider, givenRequest(changes));

  /** A paid session with its capture. */
  async function givenPayment(changes: Partial<PaymentRequest> = {}) {
    const { request, payment } = await givenSession(changes);
    const captureId = captureIn(await pay(payment.pspRef));
    return { request, payment, captureId, refundRequest: refundsOf(payment, captureId) };
  }

  const records = async () => Records.parse(await outsider.ask('/__sandbox/records'));

  /** The webhook events about a payment, newest first, as the adapter parses them. */
  async function news(captureId: string) {
    const { events } = await records();
    const about = events
      .map(({ data }) => data.object)
      .filter(({ pspReference, originalReference }) =>
        [pspReference, originalReference].includes(captureId),
      );
    const parsed = await Promise.all(about.map((item) => provider.parseWebhook(message([item]))));
    return parsed.flatMap((one) => {
      if (!one.ok) throw new Error(one.reason);
      return one.events;
    });
  }

  return { outsider, open, provider, givenSession, givenPayment, pay, records, news, fault };
}
export type AdyenWorld = Awaited<ReturnType<typeof startAdyenWorld>>;

export function givenRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequest(changes);
}

/** The expected merchant reference, computed without the adapter. */
export function givenReference({ accountId, paymentId, attemptId }: PaymentReference): string {
  const bytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  return `${bytes(accountId)}.${bytes(paymentId)}.${bytes(attemptId)}`;
}

const Item = z.looseObject({
  pspReference: z.string(),
  originalReference: z.string().optional(),
  merchantAccountCode: z.string(),
  merchantReference: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  eventCode: z.string(),
  success: z.string(),
  additionalData: z.record(z.string(), z.string()).optional(),
});
export type Item = z.output<typeof Item>;

/** The notification item of a successful payment. */
export function givenItem(changes: Partial<Item> = {}): Item {
  return {
    pspReference: 'KHQC5N7G84BLNK43',
    merchantAccountCode: merchantAccount,
    merchantReference: givenReference(givenRequest().reference),
    amount: { value: 499, currency: 'USD' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    eventDate: '2026-11-15T21:30:00+00:00',
    paymentMethod: 'visa',
    reason: '064668:1111:03/2030',
    ...changes,
  };
}

/** The signature as Adyen's documentation has it, over eight fields. */
export function hmacOf(item: Item, key = hmacKeys[0] ?? ''): string {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference } = item;
  const { amount, eventCode, success } = item;
  const start = [pspReference, originalReference, merchantAccountCode, merchantReference];
  const text = [...start, amount.value, amount.currency, eventCode, success].join(':');
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');
}

export function signed(item: Item, key?: string): Item {
  return { ...item, additionalData: { ...item.additionalData, hmacSignature: hmacOf(item, key) } };
}

/** A webhook as Adyen sends it; each item without a signature is signed. */
export function message(items: readonly Item[], changes: object = {}): RawWebhook {
  const ready = items.map((item) =>
    item.additionalData !== undefined && 'hmacSignature' in item.additionalData
      ? item
      : signed(item),
  );
  const notificationItems = ready.map((item) => ({ NotificationRequestItem: item }));
  return rawOf(JSON.stringify({ live: 'false', notificationItems, ...changes }));
}

export function rawOf(body: string): RawWebhook {
  return { body: Buffer.from(body), headers: {}, receivedAt: new Date() };
}

const Thing = z.looseObject({ id: z.string() });
const Records = z.object({
  sessions: z.array(
    Thing.extend({
      payment_id: z.string().nullable(),
      status: z.string(),
      asked: z.looseObject({}),
    }),
  ),
  charges: z.array(Thing.extend({ session: z.string(), amount: z.int() })),
  refunds: z.array(Thing.extend({ reference: z.string().nullable(), amount: z.int() })),
  disputes: z.array(Thing),
  events: z.array(Thing.extend({ type: z.string(), data: z.object({ object: Item }) })),
  requests: z.int(),
});
