import { secureAccount as secureAccountCall } from '@pointgate/contract/notices.ts';
import type { FastifyInstance } from 'fastify';
import { publicRoute } from '../../platform/http.ts';
import { type NoticesContext, secureAccount } from './notices.ts';

export function registerNoticeRoutes(app: FastifyInstance, notices: NoticesContext): void {
  publicRoute(app, secureAccountCall, async ({ body }) => secureAccount(notices, body.token));
}
