import { planSends } from '../platform/webhook-plan.ts';
import type { Provider } from './provider.ts';
import type { NotificationItem } from './signature.ts';

export type EventCode =
  | 'AUTHORISATION'
  | 'CAPTURE'
  | 'CAPTURE_FAILED'
  | 'CANCELLATION'
  | 'REFUND'
  | 'REFUND_FAILED'
  | 'REFUNDED_REVERSED'
  | 'REQUEST_FOR_INFORMATION'
  | 'NOTIFICATION_OF_CHARGEBACK'
  | 'CHARGEBACK'
  | 'CHARGEBACK_REVERSED'
  | 'SECOND_CHARGEBACK'
  | 'DISPUTE_DEFENSE_PERIOD_ENDED'
  | 'REPORT_AVAILABLE';

/** Writes the event and queues its webhook; the sender starts after the commit. */
export function recordEvent(
  provider: Provider,
  event: {
    type: EventCode;
    pspReference: string;
    originalReference?: string;
    merchantReference: string;
    amount: number;
    currency: string;
    isSuccess?: boolean;
    reason?: string;
    more?: Record<string, string>;
  },
): void {
  const { clock, settings } = provider;
  const created = clock.nowSeconds();
  const item: NotificationItem = {
    additionalData: event.more ?? {},
    amount: { currency: event.currency, value: event.amount },
    eventCode: event.type,
    eventDate: `${new Date(created * 1000).toISOString().slice(0, 19)}+00:00`,
    merchantAccountCode: settings.merchantAccount,
    merchantReference: event.merchantReference,
    ...(event.originalReference === undefined
      ? {}
      : { originalReference: event.originalReference }),
    paymentMethod: 'visa',
    pspReference: event.pspReference,
    reason: event.reason ?? '',
    success: event.isSuccess === false ? 'false' : 'true',
  };
  // Adyen messages have no ids: duplicates are events of the same type with the same reference.
  const id = [event.type, event.pspReference, item.success].join(':');
  provider.db.insert('events', { id, created, type: event.type, item: JSON.stringify(item) });
  planSends(provider, { eventId: id, type: event.type });
}
