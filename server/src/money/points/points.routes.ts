import { toSafeNumber } from '@pointgate/contract/money.ts';
import {
  ledgerFilePath,
  pointBalance,
  pointLots,
  pointRecord,
} from '@pointgate/contract/points.ts';
import type { FastifyInstance } from 'fastify';
import { requireOwnGameAccount } from '../../people/accounts/accounts.ts';
import type { Db } from '../../platform/db.ts';
import { playerRoute, requirePlayer, requireSite } from '../../platform/http.ts';
import { ledgerFile, pointEnds, pointRecords, walletOf } from './points.ts';

const pageSize = 20;

export function registerPointsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  playerRoute(app, pointBalance, async ({ body, player: { accountId } }) => {
    await requireOwnGameAccount(db, { accountId, gameAccountId: body.userId });
    const wallet = await walletOf(db, accountId);
    return {
      basicNum: toSafeNumber(wallet.basic),
      presentNum: toSafeNumber(wallet.present),
      frozenNum: toSafeNumber(wallet.frozenBasic + wallet.frozenPresent),
      ledgerHead: wallet.head,
    };
  });

  playerRoute(app, pointLots, async ({ player: { accountId } }) => {
    const { lots, hasMore } = await pointEnds(db, accountId);
    return {
      lots: lots.map((lot) => ({ ...lot, expiresAt: lot.expiresAt?.toISOString() ?? null })),
      hasMore,
    };
  });

  playerRoute(app, pointRecord, async ({ body: { page, type }, player: { accountId } }) => {
    const { records, hasMore } = await pointRecords(db, { accountId, type, page, pageSize });
    return {
      records: records.map(({ originId, at, ...record }) => ({
        ...record,
        at: at.toISOString(),
        paymentId: originId,
      })),
      page,
      pageSize,
      hasMore,
    };
  });

  app.get(ledgerFilePath, async (request, reply) => {
    const site = await requireSite(app, request);
    const { accountId } = await requirePlayer(app, { request, site });
    return await reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('content-disposition', 'attachment; filename="epoint-ledger.txt"')
      .header('cache-control', 'no-store')
      .send(await ledgerFile(db, accountId));
  });
}
