import type { AlipaySdk } from 'alipay-sdk';
import { z } from 'zod';
import { readBeijingTime } from '../beijing-time.ts';
import type { ParsedWebhook, RawWebhook, WebhookSubject } from '../psp.ts';
import { referenceOfOrder } from '../references.ts';
import type { AlipayOptions } from './options.ts';
import { isSigned } from './signature.ts';

/** Alipay repeats a notification for 24 hours and 24 minutes; later ones are replays. */
const ageMaxMs = 25 * 3600_000;
/** Tolerance for the clock difference. */
const aheadMaxMs = 300_000;
const fieldsMax = 100;

const Notification = z.object({
  notify_id: z.string().min(1).max(128),
  notify_time: z.string(),
  notify_type: z.string(),
  app_id: z.string(),
  seller_id: z.string(),
});

const News = z.object({
  out_trade_no: z.string(),
  trade_status: z.enum(['TRADE_SUCCESS', 'TRADE_FINISHED', 'TRADE_CLOSED', 'WAIT_BUYER_PAY']),
  passback_params: z.string().optional(),
  /** The request number of a refund: our refund id, or Alipay's for one made outside the shop. */
  out_biz_no: z.string().min(1).max(128).optional(),
  refund_fee: z.string().optional(),
});

/** Verifies the signature over the received form, then checks the application and the seller. */
export function parseWebhook(
  options: AlipayOptions,
  verifiers: readonly AlipaySdk[],
  raw: RawWebhook,
): ParsedWebhook {
  const form = readForm(raw.body);
  if (form === undefined) return { ok: false, reason: 'malformed' };
  if (!isSigned(verifiers, form)) return { ok: false, reason: 'bad_signature' };
  const notification = Notification.safeParse(form);
  const at = readBeijingTime(form.notify_time ?? '');
  if (!notification.success || at === undefined) return { ok: false, reason: 'malformed' };
  const { app_id, seller_id, notify_id: eventId, notify_type } = notification.data;
  if (app_id !== options.appId || seller_id !== options.sellerId) {
    return { ok: false, reason: 'foreign_account' };
  }
  const age = raw.receivedAt.getTime() - at.getTime();
  if (age > ageMaxMs || age < -aheadMaxMs) return { ok: false, reason: 'stale' };
  const subject = notify_type === 'trade_status_sync' ? subjectOf(form) : null;
  return { ok: true, events: [{ eventId, subject }] };
}

/**
 * The fields of a form. The signed text joins the fields, so a value that looks like several fields could be
 * split differently under the same signature; such a value is refused.
 */
function readForm(body: Buffer): Record<string, string> | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
  const fields = [...new URLSearchParams(text)];
  const isPlain = fields.every(
    ([name, value]) => /^[a-z_]{1,64}$/.test(name) && !/&[a-z_]+=/.test(value),
  );
  const names = new Set(fields.map(([name]) => name));
  const isForm = isPlain && names.size === fields.length && fields.length <= fieldsMax;
  return isForm && fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** A notification with refund fields is about a refund, whether partial or full. */
function subjectOf(form: Record<string, string>): WebhookSubject | null {
  const news = News.safeParse(form);
  if (!news.success || news.data.trade_status === 'WAIT_BUYER_PAY') return null;
  const { out_trade_no: pspRef, out_biz_no, refund_fee } = news.data;
  const reference = referenceOfOrder({
    returned: news.data.passback_params,
    orderNumber: pspRef,
  });
  if (reference === undefined) return null;
  const isRefund = out_biz_no !== undefined && refund_fee !== undefined;
  return { pspRef, reference, ...(isRefund ? { refundId: out_biz_no } : {}) };
}
