import { serverTime } from '@pointgate/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import { publicRoute } from '../platform/http.ts';

export function registerTimeRoute(app: FastifyInstance): void {
  publicRoute(app, serverTime, async () => ({ ts: Math.floor(Date.now() / 1000) }));
}
