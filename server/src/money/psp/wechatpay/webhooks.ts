import { Aes } from 'wechatpay-axios-plugin';
import { z } from 'zod';
import type { ParsedWebhook, RawWebhook, WebhookSubject } from '../psp.ts';
import { referenceOfOrder } from '../references.ts';
import { jsonOf } from '../replies.ts';
import { TransactionId } from './ids.ts';
import type { WechatpayOptions } from './options.ts';
import { judgeSignature } from './signature.ts';

const Notification = z.object({
  id: z.string().min(1).max(64),
  event_type: z.string(),
  resource_type: z.literal('encrypt-resource'),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    nonce: z.string().length(12),
    associated_data: z.string().optional(),
  }),
});

const Merchants = z.object({ mchid: z.string(), appid: z.string().optional() });

const Paid = z.object({
  out_trade_no: z.string(),
  attach: z.string().optional(),
  trade_state: z.literal('SUCCESS'),
});

const SentBack = z.object({
  transaction_id: TransactionId,
  out_refund_no: z.string(),
  refund_status: z.string(),
});

/** Verifies the signature, decrypts the content, then checks the merchant and the application. */
export function parseWebhook(options: WechatpayOptions, raw: RawWebhook): ParsedWebhook {
  const { body, headers, receivedAt } = raw;
  const judgement = judgeSignature(options, { body, headers, at: receivedAt });
  if (judgement !== 'genuine') return { ok: false, reason: judgement };
  const notification = Notification.safeParse(jsonOf(body.toString('utf8')));
  if (!notification.success) return { ok: false, reason: 'malformed' };
  const { id: eventId, event_type, resource } = notification.data;
  const text = decrypted(options.apiV3Keys, resource);
  // Genuine, but the key is not configured yet: WeChat will send it again.
  if (text === undefined) return { ok: false, reason: 'unverifiable' };
  const content = jsonOf(text);
  const merchants = Merchants.safeParse(content);
  if (!merchants.success) return { ok: false, reason: 'malformed' };
  const { mchid, appid } = merchants.data;
  if (mchid !== options.mchId || (appid !== undefined && appid !== options.appId)) {
    return { ok: false, reason: 'foreign_account' };
  }
  return { ok: true, events: [{ eventId, subject: subjectOf(event_type, content) }] };
}

function subjectOf(type: string, content: unknown): WebhookSubject | null {
  if (type === 'TRANSACTION.SUCCESS') {
    const paid = Paid.safeParse(content);
    if (!paid.success) return null;
    const { attach: returned, out_trade_no: pspRef } = paid.data;
    const reference = referenceOfOrder({ returned, orderNumber: pspRef });
    return reference === undefined ? null : { pspRef, reference };
  }
  if (type.startsWith('REFUND.')) {
    const back = SentBack.safeParse(content);
    if (!back.success) return null;
    const { transaction_id: captureId, out_refund_no: refundId } = back.data;
    return { captureId, refundId };
  }
  return null;
}

/** Tries each configured key; the GCM tag proves that the content is unchanged. */
function decrypted(
  keys: readonly string[],
  resource: z.output<typeof Notification>['resource'],
): string | undefined {
  const { ciphertext, nonce, associated_data = '' } = resource;
  for (const key of keys) {
    try {
      return Aes.AesGcm.decrypt(ciphertext, key, nonce, associated_data);
    } catch {
      // Try the next key.
    }
  }
  return undefined;
}
