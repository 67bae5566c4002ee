import { randomUUID } from 'node:crypto';
import { planSends } from '../platform/webhook-plan.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';

export type EventType =
  | 'TRANSACTION.SUCCESS'
  | 'REFUND.SUCCESS'
  | 'REFUND.ABNORMAL'
  | 'REFUND.CLOSED';

/** Writes the event and queues its webhook; the sender starts after the commit. */
export function recordEvent(
  provider: Provider,
  event: {
    type: EventType;
    originalType: 'transaction' | 'refund';
    summary: string;
    url: string;
    resource: WireObject;
  },
): void {
  const id = randomUUID();
  provider.db.run(
    `insert into events (id, created, type, original_type, summary, url, resource)
     values (?, ?, ?, ?, ?, ?, ?)`,
    id,
    provider.clock.nowSeconds(),
    event.type,
    event.originalType,
    event.summary,
    event.url,
    JSON.stringify(event.resource),
  );
  planSends(provider, { eventId: id, type: event.type });
}
