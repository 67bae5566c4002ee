import { endSession, listSessions } from '@pointgate/contract/sessions.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { playerRoute } from '../../platform/http.ts';
import { deleteSessionOf, selectLiveSessions } from './sessions.queries.ts';

interface SessionRoutesOptions {
  db: Db;
  titleOf: (siteId: string) => Promise<string>;
  sessionsChanged: (accountId: string) => void;
}

/**
 * Lists and ends the player's sessions. Needs no passkey: it grants no access, and if a stolen
 * session ends the player's own, the next sign-in of the player ends the stolen session.
 */
export function registerSessionRoutes(
  app: FastifyInstance,
  { db, titleOf, sessionsChanged }: SessionRoutesOptions,
): void {
  playerRoute(app, listSessions, async ({ player: { accountId, siteId } }) => {
    const rows = await selectLiveSessions(db, accountId);
    const sessions = await Promise.all(
      rows.map(async (row) => ({
        siteId: row.site_id,
        siteTitle: await titleOf(row.site_id),
        device: { browser: row.browser, system: row.system },
        startedAt: row.created_at.toISOString(),
        seenAt: row.seen_at?.toISOString() ?? null,
        endsAt: row.expires_at.toISOString(),
        isByLink: row.is_by_link,
        isThis: row.site_id === siteId,
      })),
    );
    return {
      sessions: sessions.toSorted((one, other) => Number(other.isThis) - Number(one.isThis)),
    };
  });

  playerRoute(app, endSession, async ({ body, player: { accountId } }) => {
    const session = { accountId, siteId: body.siteId, startedAt: new Date(body.startedAt) };
    await db.transaction((tx) => deleteSessionOf(tx, session));
    sessionsChanged(accountId);
    return {};
  });
}
