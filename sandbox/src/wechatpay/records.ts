import {
  countOf,
  deliveryRecord,
  keyedDeliveryRow,
  newest,
  noRecords,
  type Records,
  recordsOf,
} from '../platform/records.ts';
import type { Reader } from '../platform/shape.ts';
import { auditedCharge, auditedEvent, auditedOrder, auditedRefund } from './objects.ts';
import type { Provider } from './provider.ts';
import { chargeRow, eventRow, orderRow, refundRow } from './rows.ts';

/** All that happened, newest first. The counts are of everything, the lists stop at the limit. */
export function allRecords(provider: Provider, limit: number) {
  const { db } = provider;
  const latest = <Row>(table: string, reader: Reader<Row>) => newest(db, { table, reader, limit });
  return {
    counts: counts(provider),
    sessions: latest('orders', orderRow).map(auditedOrder),
    charges: latest('charges', chargeRow).map(auditedCharge),
    refunds: latest('refunds', refundRow).map(auditedRefund),
    disputes: [],
    events: latest('events', eventRow).map(auditedEvent),
    webhookDeliveries: deliveries(provider, limit),
    requests: countOf(db, 'requests'),
  };
}

export function deliveries({ db }: Provider, limit: number) {
  const input = { table: 'webhook_deliveries', reader: keyedDeliveryRow, limit };
  return newest(db, input).map(deliveryRecord);
}

const charges = recordsOf({ table: 'charges', reader: chargeRow, wire: auditedCharge });
const refunds = recordsOf({ table: 'refunds', reader: refundRow, wire: auditedRefund });

/** What can be read page by page, for more than one answer can hold. */
export const recordKinds = {
  sessions: recordsOf({ table: 'orders', reader: orderRow, wire: auditedOrder }),
  charges,
  refunds,
  // Payers of this provider have no bank that would take money back.
  disputes: noRecords,
  events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
  webhookDeliveries: recordsOf({
    table: 'webhook_deliveries',
    reader: keyedDeliveryRow,
    wire: deliveryRecord,
  }),
} satisfies Record<string, Records>;

export function counts({ db }: Provider) {
  return {
    sessions: countOf(db, 'orders'),
    charges: countOf(db, 'charges'),
    refunds: countOf(db, 'refunds'),
    disputes: 0,
    events: countOf(db, 'events'),
    webhookDeliveries: countOf(db, 'webhook_deliveries'),
    requests: countOf(db, 'requests'),
  };
}
