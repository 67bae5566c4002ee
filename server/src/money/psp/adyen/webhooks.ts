import { z } from 'zod';
import type { ParsedWebhook, RawWebhook } from '../psp.ts';
import { jsonOf } from '../replies.ts';
import type { AdyenOptions } from './options.ts';
import { isSigned } from './signature.ts';
import { subjectOf } from './webhook-subjects.ts';

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
  if (
    !items.every((item) =>
      isSigned(options.hmacKeys, item, item.additionalData?.hmacSignature ?? ''),
    )
  ) {
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
