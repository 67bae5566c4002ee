import { randomUUID } from 'node:crypto';
import { planSends } from '../platform/webhook-plan.ts';
import type { WireObject } from './call.ts';
import { newEventId } from './ids.ts';
import { link, timeOf } from './objects.ts';
import type { Provider } from './provider.ts';

export type EventType =
  | 'CHECKOUT.ORDER.APPROVED'
  | 'CHECKOUT.PAYMENT-APPROVAL.REVERSED'
  | 'CUSTOMER.DISPUTE.CREATED'
  | 'CUSTOMER.DISPUTE.RESOLVED'
  | 'CUSTOMER.DISPUTE.UPDATED'
  | 'PAYMENT.CAPTURE.COMPLETED'
  | 'PAYMENT.CAPTURE.DECLINED'
  | 'PAYMENT.CAPTURE.PENDING'
  | 'PAYMENT.CAPTURE.REFUNDED'
  | 'PAYMENT.CAPTURE.REVERSED'
  | 'PAYMENT.REFUND.FAILED'
  | 'PAYMENT.REFUND.PENDING';

/** Writes the event and queues its webhook; the sender starts after the commit. */
export function recordEvent(
  provider: Provider,
  input: { type: EventType; resourceType: string; summary: string; resource: WireObject },
): void {
  const id = newEventId();
  const created = provider.clock.nowSeconds();
  const event = {
    id,
    event_version: '1.0',
    create_time: `${timeOf(created).slice(0, -1)}.000Z`,
    resource_type: input.resourceType,
    resource_version: '2.0',
    event_type: input.type,
    summary: input.summary,
    resource: input.resource,
    links: [
      link('self', `/v1/notifications/webhooks-events/${id}`, 'GET'),
      link('resend', `/v1/notifications/webhooks-events/${id}/resend`, 'POST'),
    ],
  };
  provider.db.run(
    'insert into events (id, created, type, payload) values (?, ?, ?, ?)',
    id,
    created,
    input.type,
    JSON.stringify(event),
  );
  const { webhookUrl, enabledEvents } = provider.settings;
  const isWanted = enabledEvents.includes('*') || enabledEvents.includes(input.type);
  if (webhookUrl !== undefined && isWanted)
    planSends(provider, { eventId: id, type: input.type }, () => ({
      transmission_id: randomUUID(),
    }));
}
