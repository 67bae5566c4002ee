import { createHmac } from 'node:crypto';

/** One event, as a notification carries it. */
export type NotificationItem = {
  amount: { currency: string; value: number };
  eventCode: string;
  eventDate: string;
  merchantAccountCode: string;
  merchantReference: string;
  originalReference?: string;
  paymentMethod?: string;
  pspReference: string;
  reason?: string;
  success: 'true' | 'false';
  additionalData: Record<string, string>;
};

/** Signs these eight fields and nothing else; the key is in hex. */
export function hmacSignature(item: NotificationItem, key: string): string {
  const signed = [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':');
  return createHmac('sha256', Buffer.from(key, 'hex')).update(signed, 'utf8').digest('base64');
}
