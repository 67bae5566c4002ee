import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ParsedWebhook, RawWebhook } from '../psp.ts';
import { jsonOf } from './client.ts';
import type { AdyenOptions } from './options.ts';
import { HmacValidator } from './sdk.ts';
import { subjectOf } from './told.ts';

// A signature covers the eight fields with colons between them, so none but one may have a colon:
// else the same signature would be good for two readings.
const withoutColon = z.string().regex(/^[^:]*$/);

const Item = z.object({
  pspReference: withoutColon.min(1).max(200),
  originalReference: withoutColon.max(200).nullish(),
  merchantAccountCode: z.string(),
  merchantReference: z.string().max(200),
  amount: z.object({ value: z.int().nonnegative(), currency: z.string().regex(/^[A-Z]{3}$/) }),
  eventCode: z.string().regex(/^[A-Z_]{1,64}$/),
  /** The word, which as a value would be true in either case. */
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
 * Verifies every item by itself, and takes all or none. There is no time in what is signed: a message
 * that comes again, even a month later, is known by its id.
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

/** Nothing else is covered: neither the reason, nor the method, nor the additional data. */
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
