import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { recordsOf } from '../platform/records.ts';
import { wireDispute } from './disputes.ts';
import { chargeObject, refundObject } from './objects.ts';
import { expireDueSessions } from './payments.ts';
import type { Provider } from './provider.ts';
import { recordKinds } from './records.ts';
import { chargeRow, disputeRow, refundRow } from './rows.ts';

/** Adds the payment id to each record, which refunds and disputes do not carry themselves. */
export function registerAuditRoutes(app: FastifyInstance, provider: Provider): void {
  registerAudit(app, provider.db, {
    kinds: recordKinds(provider),
    before: () => expireDueSessions(provider),
    charges: recordsOf({
      table: 'charges',
      reader: chargeRow,
      wire: (row) => ({ ...chargeObject(row), paymentId: row.payment_id }),
    }),
    refunds: recordsOf({
      table: 'refunds',
      reader: refundRow,
      wire: (row) => ({ ...refundObject(row), paymentId: row.payment_id }),
    }),
    disputes: recordsOf({
      table: 'disputes',
      reader: disputeRow,
      wire: (row) => ({ ...wireDispute(provider, row), paymentId: row.payment_id }),
    }),
  });
}
