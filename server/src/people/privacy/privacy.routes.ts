import { Readable } from 'node:stream';
import {
  accountExportPath,
  daysToComeBack,
  leaveShop,
  requestExport,
} from '@pointgate/contract/privacy.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { type CallSite, playerRoute, requirePlayer, requireSite } from '../../platform/http.ts';
import type { PeopleContext } from '../real-names/real-names.ts';
import { exportAccount, leaveShop as leave } from './privacy.ts';

interface PrivacyRoutesOptions {
  db: Db;
  people: PeopleContext;
  /** Throws if the player has to step up first. */
  requireProof: (request: FastifyRequest, site: CallSite) => Promise<void>;
  /** Called after sessions of the account have ended, to close open connections. */
  sessionsChanged: (accountId: string) => void;
}

export function registerPrivacyRoutes(
  app: FastifyInstance,
  { db, people, requireProof, sessionsChanged }: PrivacyRoutesOptions,
): void {
  playerRoute(app, leaveShop, async ({ player: { accountId }, request, site }) => {
    await requireProof(request, site);
    if (!(await leave(db, accountId))) throw new AppError('InvalidToken');
    sessionsChanged(accountId);
    const erasedAt = new Date(Date.now() + daysToComeBack * 24 * 60 * 60_000);
    return { erasedAt: erasedAt.toISOString() };
  });

  playerRoute(app, requestExport, async ({ request, site }) => {
    await requireProof(request, site);
    return {};
  });

  app.get(accountExportPath, async (request, reply) => {
    const site = await requireSite(app, request);
    const { accountId } = await requirePlayer(app, { request, site });
    await requireProof(request, site);
    const asked = { accountId, by: 'player', requestId: request.id, isMasked: true };
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="account.json"')
      .header('cache-control', 'no-store')
      .send(Readable.from(exportAccount(db, people, asked)));
  });
}
