import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

const ExpiryRow = z.object({ expires_at: z.date() });
const AccountRow = z.object({ account_id: z.uuid() });

interface NewTicket {
  ticketHash: Buffer;
  siteId: string;
  gameAccountId: string;
  seconds: number;
}

/**
 * Inserts a ticket for a game account of this player in one of the site's games, bound to the
 * player's session on this site. Undefined if the player has no such game account.
 */
export function insertOwnTicket(
  tx: Tx,
  ticket: NewTicket & { accountId: string; gameIds: readonly string[] },
) {
  return tx.maybeOne(
    ExpiryRow,
    sql`
      insert into arrival_tickets (ticket_hash, account_id, game_id, game_account_id, site_id,
                                   session_hash, expires_at)
      select ${ticket.ticketHash}, owned.account_id, owned.game_id, owned.game_account_id, site_id,
             token_hash, now() + make_interval(secs => ${ticket.seconds})
      from game_accounts as owned join sessions using (account_id)
      where owned.account_id = ${ticket.accountId} and site_id = ${ticket.siteId}
        and owned.game_account_id = ${ticket.gameAccountId}
        and owned.game_id = any(${ticket.gameIds}::text[])
      order by owned.bound_at, owned.game_id limit 1
      returning expires_at`,
  );
}

export async function insertTicket(
  tx: Tx,
  ticket: NewTicket & { accountId: string; gameId: string },
): Promise<{ expires_at: Date }> {
  return await tx.one(
    ExpiryRow,
    sql`
      insert into arrival_tickets (ticket_hash, account_id, game_id, game_account_id, site_id, expires_at)
      values (${ticket.ticketHash}, ${ticket.accountId}, ${ticket.gameId}, ${ticket.gameAccountId},
              ${ticket.siteId}, now() + make_interval(secs => ${ticket.seconds}))
      returning expires_at`,
  );
}

/**
 * Uses up a ticket and answers its account, its game account and the end of the session that
 * requested it. A ticket of an ended session does not count. A rollback restores the ticket.
 */
export function deleteTicket(tx: Tx, ticket: { ticketHash: Buffer; siteId: string }) {
  return tx.maybeOne(
    AccountRow.extend({
      game_id: z.string(),
      game_account_id: z.string(),
      session_ends_at: z.date().nullable(),
    }),
    sql`
      with used as (
        delete from arrival_tickets
        where ticket_hash = ${ticket.ticketHash} and site_id = ${ticket.siteId} and expires_at > now()
        returning account_id, site_id, game_id, game_account_id, session_hash
      )
      select used.account_id, used.game_id, used.game_account_id, sessions.expires_at as session_ends_at
      from used left join sessions on sessions.account_id = used.account_id
        and sessions.site_id = used.site_id and sessions.token_hash = used.session_hash
        and sessions.expires_at > now()
      where used.session_hash is null or sessions.token_hash is not null`,
  );
}

export function selectJwksUrl(db: Db, gameId: string) {
  return db.maybeOne(
    z.object({ jwks_url: z.string().nullable() }),
    sql`select jwks_url from games where id = ${gameId}`,
  );
}

/** False if the token or request was used before. */
export async function insertUsedArrival(
  tx: Tx,
  used: { gameId: string; digest: Buffer; keepSeconds: number },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into used_arrivals (game_id, digest, expires_at)
    values (${used.gameId}, ${used.digest}, now() + make_interval(secs => ${used.keepSeconds}))
    on conflict do nothing`);
  return inserted === 1;
}

export const deleteOldTickets: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from arrival_tickets where ticket_hash in
      (select ticket_hash from arrival_tickets where expires_at < now() limit ${rowsMax})`);

export const deleteOldArrivals: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from used_arrivals where (game_id, digest) in
      (select game_id, digest from used_arrivals where expires_at < now() limit ${rowsMax})`);
