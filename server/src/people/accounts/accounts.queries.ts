import { AccountType } from '@pointgate/contract/accounts.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';
import type { IdentityKey } from './identity-keys.ts';
import { deletePlaces } from './known-places.queries.ts';

const AccountTypeColumn = z.enum(AccountType.def.entries);

const IdentityRow = z.object({
  account_id: z.uuid(),
  password_hash: z.string().nullable(),
});

const AccountRow = z.object({
  id: z.uuid(),
  account_type: AccountTypeColumn,
  display_name: z.string(),
});

const GameAccountRow = z.object({ game_account_id: z.string() });

export function selectIdentity(db: Db | Tx, key: IdentityKey) {
  return db.maybeOne(
    IdentityRow,
    sql`
      select account_id, password_hash from identities
      where account_type = ${key.accountType} and subject = ${key.subject}`,
  );
}

const WayRow = z.object({
  account_type: AccountTypeColumn,
  subject: z.string(),
  password_hash: z.string().nullable(),
});
/** A sign-in identity of an account. */
export type WayRow = z.output<typeof WayRow>;

export function selectWaysIn(db: Db | Tx, accountId: string): Promise<WayRow[]> {
  return db.many(
    WayRow,
    sql`
      select account_type, subject, password_hash from identities
      where account_id = ${accountId} order by account_type, subject limit 100`,
  );
}

export function selectAccount(db: Db | Tx, accountId: string) {
  return db.maybeOne(
    AccountRow,
    sql`select id, account_type, display_name from accounts where id = ${accountId}`,
  );
}

/** Of several game accounts the one of the session on this site, otherwise the one bound first. */
export function selectGameAccount(
  db: Db,
  key: { accountId: string; siteId: string; gameIds: readonly string[] },
) {
  return db.maybeOne(
    GameAccountRow,
    sql`
      select bound.game_account_id
      from game_accounts bound
      left join sessions on sessions.account_id = bound.account_id
        and sessions.site_id = ${key.siteId} and sessions.game_id = bound.game_id
        and sessions.game_account_id = bound.game_account_id
      where bound.account_id = ${key.accountId} and bound.game_id = any(${key.gameIds}::text[])
      order by sessions.account_id is null, bound.bound_at, bound.game_account_id limit 1`,
  );
}

export async function insertAccount(
  tx: Tx,
  account: {
    accountId: string;
    displayName: string;
    key: IdentityKey;
    passwordHash: string;
  },
): Promise<void> {
  await tx.run(sql`
    insert into accounts (id, account_type, display_name)
    values (${account.accountId}, ${account.key.accountType}, ${account.displayName})`);
  await insertIdentity(tx, account);
}

export async function insertIdentity(
  tx: Tx,
  identity: {
    accountId: string;
    key: IdentityKey;
    passwordHash: string | null;
  },
): Promise<void> {
  const { accountType, subject } = identity.key;
  await tx.run(sql`
    insert into identities (account_type, subject, account_id, password_hash)
    values (${accountType}, ${subject}, ${identity.accountId}, ${identity.passwordHash})`);
}

/** False if another account has the identity. */
export async function insertFreeIdentity(
  tx: Tx,
  { accountId, key, passwordHash }: Parameters<typeof insertIdentity>[1],
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into identities (account_type, subject, account_id, password_hash)
    values (${key.accountType}, ${key.subject}, ${accountId}, ${passwordHash})
    on conflict do nothing`);
  return inserted === 1;
}

/**
 * Sets one password hash for all typed names, or null, which no password matches. Ends all sessions
 * except `kept`, and forgets the places that were known through the old password.
 */
export async function updatePassword(
  tx: Tx,
  change: { accountId: string; passwordHash: string | null; kept?: SessionKey },
): Promise<void> {
  const { accountId, passwordHash, kept } = change;
  await tx.run(sql`
    update identities set password_hash = ${passwordHash}
    where account_id = ${accountId} and account_type in ('ACCOUNT', 'EMAIL', 'MOBILE')`);
  await deleteAccess(tx, accountId, kept);
  await deletePlaces(tx, accountId);
}

/**
 * Replaces this hash by another of the same password, for all typed names. False if it is not the
 * account's hash any more. Sessions stay.
 */
export async function updateHash(
  tx: Tx,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update identities set password_hash = ${to}
    where account_id = ${accountId} and account_type in ('ACCOUNT', 'EMAIL', 'MOBILE')
      and password_hash = ${from}`);
  return updated > 0;
}

/** Records a password reset by a code. */
export async function updateReset(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`update accounts set reset_at = now() where id = ${accountId}`);
}

/** Falls back to `reset_at`, the only column that an earlier release wrote. */
const waitsUntil = (hours: number) =>
  sql`coalesce(waits_until, reset_at + make_interval(hours => ${hours}))`;

/** Starts a waiting period for real-name data, or extends the current one and keeps its start. */
export async function updateWait(
  tx: Tx,
  { accountId, hours }: { accountId: string; hours: number },
): Promise<void> {
  await tx.run(sql`
    update accounts set
      waits_since = case when ${waitsUntil(hours)} > now() then coalesce(waits_since, reset_at)
                         else now() end,
      waits_until = now() + make_interval(hours => ${hours})
    where id = ${accountId}`);
}

/** The current waiting period for real-name data, if there is one. */
export function selectWait(
  db: Db | Tx,
  { accountId, hours }: { accountId: string; hours: number },
) {
  return db.maybeOne(
    z.object({ since: z.date(), until: z.date() }),
    sql`
      select coalesce(waits_since, reset_at) as since, ${waitsUntil(hours)} as until
      from accounts where id = ${accountId} and ${waitsUntil(hours)} > now()`,
  );
}

/**
 * Deletes all sessions of an account except `kept`, their challenges, and all tickets and handoffs
 * that would start another session.
 */
export async function deleteAccess(tx: Tx, accountId: string, kept?: SessionKey): Promise<void> {
  await tx.run(sql`
    delete from passkey_challenges using sessions
    where holder_hash = token_hash and account_id = ${accountId}`);
  await tx.run(sql`
    delete from sessions
    where account_id = ${accountId} and token_hash is distinct from ${kept?.tokenHash ?? null}`);
  await tx.run(sql`delete from arrival_tickets where account_id = ${accountId}`);
  await tx.run(sql`delete from sign_in_handoffs where account_id = ${accountId}`);
}

/** Replaces the token of a session and keeps everything else. */
export async function updateToken(
  tx: Tx,
  { accountId, siteId, tokenHash, newHash }: SessionKey & { newHash: Buffer },
): Promise<void> {
  await tx.run(sql`
    update session_open_ids set token_hash = ${newHash}
    where account_id = ${accountId} and site_id = ${siteId} and token_hash = ${tokenHash}`);
  await tx.run(sql`
    update sessions set token_hash = ${newHash}
    where account_id = ${accountId} and site_id = ${siteId} and token_hash = ${tokenHash}`);
}

/** Serializes changes of an account's sign-in methods. */
export async function selectAccountLocked(tx: Tx, accountId: string): Promise<void> {
  await tx.one(
    z.object({ id: z.uuid() }),
    sql`select id from accounts where id = ${accountId} for no key update`,
  );
}

export function selectIsBound(
  db: Db,
  key: { accountId: string; gameAccountId: string },
): Promise<{ is_bound: boolean }> {
  return db.one(
    z.object({ is_bound: z.boolean() }),
    sql`
      select exists (
        select from game_accounts
        where account_id = ${key.accountId} and game_account_id = ${key.gameAccountId}) as is_bound`,
  );
}

/** Identifies one session; the next session of the same account has another token. */
export interface SessionKey {
  accountId: string;
  siteId: string;
  tokenHash: Buffer;
}

/** `is_seen` means that its use in this hour is recorded already. */
export function selectSession(db: Db, key: SessionKey) {
  return db.maybeOne(
    z.object({ is_live: z.boolean(), is_seen: z.boolean() }),
    sql`
      select token_hash = ${key.tokenHash} and expires_at > now() as is_live,
             coalesce(seen_at >= date_trunc('hour', now()), false) as is_seen
      from sessions
      where account_id = ${key.accountId} and site_id = ${key.siteId}`,
  );
}

/** Replaces the account's session on this site. */
export async function upsertSession(
  tx: Tx,
  session: SessionKey & {
    days: number;
    endsAt: Date | null;
    isProven: boolean;
    /** The passkey of the sign-in. */
    passkeyId: string | null;
    gameAccount: { gameId: string; gameAccountId: string } | null;
  },
): Promise<void> {
  await tx.run(sql`
    insert into sessions (account_id, site_id, token_hash, expires_at, proven_at, stepped_up_at,
                          stepped_up_with, game_id, game_account_id)
    values (${session.accountId}, ${session.siteId}, ${session.tokenHash},
            least(now() + make_interval(days => ${session.days}), ${session.endsAt}::timestamptz),
            case when ${session.isProven} then now() end,
            case when ${session.passkeyId}::uuid is not null then now() end,
            ${session.passkeyId},
            ${session.gameAccount?.gameId ?? null}, ${session.gameAccount?.gameAccountId ?? null})
    on conflict (account_id, site_id) do update
    set token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now(),
        proven_at = excluded.proven_at, stepped_up_at = excluded.stepped_up_at,
        stepped_up_with = excluded.stepped_up_with,
        game_id = excluded.game_id, game_account_id = excluded.game_account_id,
        browser = null, system = null, seen_at = null`);
}

/** Whether a live session was recently started or stepped up. */
export function selectStanding(db: Db | Tx, key: SessionKey & { minutes: number }) {
  return db.maybeOne(
    z.object({
      is_new: z.boolean(),
      is_stepped_up: z.boolean(),
      stepped_up_with: z.uuid().nullable(),
    }),
    sql`
      select coalesce(proven_at > now() - make_interval(mins => ${key.minutes}), false) as is_new,
             coalesce(stepped_up_at > now() - make_interval(mins => ${key.minutes}), false)
               as is_stepped_up,
             stepped_up_with
      from sessions
      where account_id = ${key.accountId} and site_id = ${key.siteId}
        and token_hash = ${key.tokenHash} and expires_at > now()`,
  );
}

/** False if the session has ended in the meantime. */
export async function updateSteppedUp(
  tx: Tx,
  key: SessionKey & { passkeyId: string },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update sessions set stepped_up_at = now(), stepped_up_with = ${key.passkeyId}
    where account_id = ${key.accountId} and site_id = ${key.siteId}
      and token_hash = ${key.tokenHash} and expires_at > now()`);
  return updated === 1;
}

export async function deleteSession(tx: Tx, key: SessionKey): Promise<void> {
  await tx.run(sql`
    delete from sessions
    where account_id = ${key.accountId} and site_id = ${key.siteId} and token_hash = ${key.tokenHash}`);
}

/** False if the envelope was used before. */
export async function insertUsedEnvelope(
  tx: Tx,
  envelope: { jti: string; keepSeconds: number },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into used_envelopes (jti, expires_at)
    values (${envelope.jti}, now() + make_interval(secs => ${envelope.keepSeconds}))
    on conflict do nothing`);
  return inserted === 1;
}

export const deleteOldEnvelopes: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from used_envelopes where jti in
      (select jti from used_envelopes where expires_at < now() limit ${rowsMax})`);

/** Expired sessions are ignored anyway, so deleting them changes nothing for players. */
export const deleteOldSessions: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from sessions where (account_id, site_id) in
      (select account_id, site_id from sessions where expires_at < now() limit ${rowsMax}
       for update skip locked)`);
