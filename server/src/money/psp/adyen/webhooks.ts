import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ParsedWebhook, RawWebhook } from '../psp.ts';
import { jsonOf } from './client.ts';
import type { AdyenOptions } from './options.ts';
import { HmacValidator } from './sdk.ts';
import { subjectOf } from './told.ts';

// The signature covers eight fields joined by colons, so only one of them may contain a colon;
// otherwise the same signed text could be read in two ways.
const withoutColon = z.string().regex(/^[^:]*$/);

const Item = z.object({
  pspReference: withoutColon.min(1).max(200),
  originalReference: withoutColon.max(200).nullish(),
  merchantAccountCode: z.string(),
  merchantReference: z.string().max(200),
  amount: z.object({ value: z.int().nonnegative(), currency: z.string().regex(/^[A-Z]{3}$/) }),
  eventCode: z.string().regex(/^[A-Z_]{1,64}$/),
  /** The text 'true' or 'false': as a value, both texts would be truthy. */
  success: z.enum(['true', 'false']),
  additionalData: z.object({ hmacSignature: z.string().optional() }).optional(),
});
type Item = z.output<typeof Item>;

const Message = z.object({
  live: z.enum(['true', 'false']),
  notificationItems: z
    .array(z.object({ NotificationRequestItem: Item }))
    .min(1)
    .max(1000),
});

/**
 * Verifies each item and accepts all or none. The signature covers no time, so a replay is recognised
 * only by its event id.
 */
export function parseWebhook(options: AdyenOptions, { body }: RawWebhook): ParsedWebhook {
  const message = Message.safeParse(jsonOf(body.toString('utf8')));
  if (!message.success) return { ok: false, reason: 'malformed' };
  const items = message.data.notificationItems.map((one) => one.NotificationRequestItem);
  if (!items.every((item) => isSigned(options.hmacKeys, item))) {
    return { ok: false, reason: 'bad_signature' };
  }
  const isOurs = items.every((item) => item.merchantAccountCode === options.merchantAccount);
  const isHere = (message.data.live === 'true') === (options.environment === 'live');
  if (!isOurs || !isHere) return { ok: false, reason: 'foreign_account' };
  return {
    ok: true,
    events: items.map((item) => ({
      eventId: `${item.eventCode}:${item.pspReference}:${item.success}`,
      subject: subjectOf(item),
    })),
  };
}

const validator = new HmacValidator();

function isSigned(keys: readonly string[], item: Item): boolean {
  const sent = Buffer.from(item.additionalData?.hmacSignature ?? '');
  return keys.some((key) => {
    const signed = Buffer.from(validator.calculateHmac(signedText(item), key));
    return signed.length === sent.length && timingSafeEqual(signed, sent);
  });
}

/** The reason, the payment method and the additional data are not signed. */
function signedText(item: Item): string {
  return [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':');
}
