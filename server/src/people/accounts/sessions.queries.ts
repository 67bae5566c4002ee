import { browsers, type Device, deviceSystems } from '@pointgate/contract/device.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { SessionKey } from './accounts.queries.ts';

const LiveSessionRow = z.object({
  site_id: z.string(),
  created_at: z.date(),
  expires_at: z.date(),
  is_by_link: z.boolean(),
  // A newer release may write values that this release does not know.
  browser: z.enum(browsers).nullable().catch(null),
  system: z.enum(deviceSystems).nullable().catch(null),
  seen_at: z.date().nullable(),
});

/** The account's sessions on all sites, the newest first, at most one per site. */
export function selectLiveSessions(db: Db, accountId: string) {
  return db.many(
    LiveSessionRow,
    sql`
      select site_id, date_trunc('milliseconds', created_at) as created_at, expires_at,
             proven_at is null as is_by_link, browser, system, seen_at
      from sessions where account_id = ${accountId} and expires_at > now()
      order by created_at desc, site_id`,
  );
}

/** Does not match a newer session on the same site, which started later. */
export async function deleteSessionOf(
  tx: Tx,
  session: { accountId: string; siteId: string; startedAt: Date },
): Promise<void> {
  await tx.run(sql`
    delete from sessions
    where account_id = ${session.accountId} and site_id = ${session.siteId}
      and date_trunc('milliseconds', created_at) = ${session.startedAt}`);
}

/** Records the use of a session and its browser, once an hour. */
export async function updateSeen(tx: Tx, key: SessionKey, device: Device): Promise<void> {
  await tx.run(sql`
    update sessions
    set seen_at = date_trunc('hour', now()), browser = ${device.browser}, system = ${device.system}
    where account_id = ${key.accountId} and site_id = ${key.siteId}
      and token_hash = ${key.tokenHash}
      and (seen_at is null or seen_at < date_trunc('hour', now()))`);
}
