import { allRecords, deliveryRecords, type Records, recordsOf } from '../platform/records.ts';
import { object, text, whole } from '../platform/shape.ts';
import { eventObject } from './api.routes.ts';
import { wireDispute } from './disputes.ts';
import { balanceObject } from './movements.ts';
import { chargeObject, refundObject } from './objects.ts';
import { wireSession } from './payments.ts';
import type { Provider } from './provider.ts';
import { balanceRow, chargeRow, disputeRow, eventRow, refundRow, sessionRow } from './rows.ts';

const keyRow = object({ key: text, created: whole, status: whole, requestId: text });

/** The newest records of each kind up to the limit, with the counts of all records. */
export function allStripeRecords(provider: Provider, limit: number) {
  const { db } = provider;
  return {
    ...allRecords(db, recordKinds(provider), limit),
    idempotencyKeys: db.all(
      keyRow,
      `select key, created, status, request_id as requestId from idempotency_keys
       order by rowid desc limit ?`,
      limit,
    ),
  };
}

/** The kinds of records that can be read page by page. */
export function recordKinds(provider: Provider): Record<string, Records> {
  return {
    sessions: recordsOf({
      table: 'sessions',
      reader: sessionRow,
      wire: (row) => wireSession(provider, row),
    }),
    charges: recordsOf({ table: 'charges', reader: chargeRow, wire: chargeObject }),
    refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: refundObject }),
    disputes: recordsOf({
      table: 'disputes',
      reader: disputeRow,
      wire: (row) => wireDispute(provider, row),
    }),
    balanceTransactions: recordsOf({
      table: 'balance_transactions',
      reader: balanceRow,
      wire: balanceObject,
    }),
    events: recordsOf({ table: 'events', reader: eventRow, wire: eventObject }),
    webhookDeliveries: deliveryRecords,
  };
}
