import { deliveryRecords, noRecords, type Records, recordsOf } from '../platform/records.ts';
import { auditedCharge, auditedEvent, auditedOrder, auditedRefund } from './objects.ts';
import { chargeRow, eventRow, orderRow, refundRow } from './rows.ts';

/** The kinds of records that can be read, by their name in the URL. */
export const recordKinds = {
  sessions: recordsOf({ table: 'orders', reader: orderRow, wire: auditedOrder }),
  charges: recordsOf({ table: 'charges', reader: chargeRow, wire: auditedCharge }),
  refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: auditedRefund }),
  // This provider has no disputes, because no bank reverses its payments.
  disputes: noRecords,
  events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
  webhookDeliveries: deliveryRecords,
} satisfies Record<string, Records>;
