import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { endDueSessions } from './payments.ts';
import type { Provider } from './provider.ts';
import { recordKinds } from './records.ts';

export function registerAuditRoutes(app: FastifyInstance, provider: Provider): void {
  const { charges, refunds, disputes } = recordKinds;
  const before = () => endDueSessions(provider);
  registerAudit(app, provider.db, { kinds: recordKinds, charges, refunds, disputes, before });
}
