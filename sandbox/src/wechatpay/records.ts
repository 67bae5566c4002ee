import { keyedDeliveryRecords, noRecords, type Records, recordsOf } from '../platform/records.ts';
import { auditedCharge, auditedEvent, auditedOrder, auditedRefund } from './objects.ts';
import { chargeRow, eventRow, orderRow, refundRow } from './rows.ts';

/** All that can be read, by the name it has in an address. */
export const recordKinds = {
  sessions: recordsOf({ table: 'orders', reader: orderRow, wire: auditedOrder }),
  charges: recordsOf({ table: 'charges', reader: chargeRow, wire: auditedCharge }),
  refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: auditedRefund }),
  // Payers of this provider have no bank that would take money back.
  disputes: noRecords,
  events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
  webhookDeliveries: keyedDeliveryRecords,
} satisfies Record<string, Records>;
