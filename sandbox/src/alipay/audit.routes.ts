import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { closeDueTrades } from './payments.ts';
import type { Provider } from './provider.ts';
import { recordKinds } from './records.ts';

export function registerAuditRoutes(app: FastifyInstance, provider: Provider): void {
  registerAudit(app, provider.db, {
    kinds: recordKinds,
    charges: recordKinds.charges,
    refunds: recordKinds.refunds,
    disputes: 'none',
    before: () => closeDueTrades(provider),
  });
}
