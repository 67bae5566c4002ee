import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { recordsOf } from '../platform/records.ts';
import { endDueOrders } from './payments.ts';
import type { Provider } from './provider.ts';
import { chargeRecord, disputeRecord, recordKinds, refundRecord } from './records.ts';
import { captureRow, disputeRow, refundRow } from './rows.ts';

export function registerAuditRoutes(app: FastifyInstance, provider: Provider): void {
  registerAudit(app, provider.db, {
    kinds: recordKinds(provider),
    before: () => endDueOrders(provider),
    charges: recordsOf({ table: 'charges', reader: captureRow, wire: chargeRecord }),
    refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: refundRecord }),
    disputes: recordsOf({ table: 'disputes', reader: disputeRow, wire: disputeRecord }),
  });
}
