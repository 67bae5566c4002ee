import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { keyedDeliveryRow } from '../platform/records.ts';
import type { Provider } from './provider.ts';
import { recordKinds } from './records.ts';

export function registerAuditRoutes(app: FastifyInstance, { db }: Provider): void {
  registerAudit(app, db, {
    kinds: recordKinds,
    charges: recordKinds.charges,
    refunds: recordKinds.refunds,
    disputes: 'none',
    deliveries: keyedDeliveryRow,
  });
}
