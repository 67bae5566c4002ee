import { AccountType } from '@pointgate/contract/accounts.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';

export type AccountTypeName = z.output<typeof AccountTypeColumn>;
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

export function selectIdentity(
  db: Db | Tx,
  key: { accountType: AccountTypeName; subject: string },
) {
  return db.maybeOne(
    IdentityRow,
    sql`
      select account_id, password_hash from identities
      where account_type = ${key.accountType} and subject = ${key.subject}`,
  );
}

export function selectAccount(db: Db, accountId: string) {
  return db.maybeOne(
    AccountRow,
    sql`select id, account_type, display_name from accounts where id = ${accountId}`,
  );
}

/** The game account bound first, where there are several. */
export function selectGameAccount(db: Db, key: { accountId: string; gameId: string }) {
  return db.maybeOne(
    GameAccountRow,
    sql`
      select game_account_id from game_accounts
      where account_id = ${key.accountId} and game_id = ${key.gameId}
      order by bound_at, game_account_id limit 1`,
  );
}

export async function insertAccount(
  tx: Tx,
  account: {
    accountId: string;
    accountType: AccountTypeName;
    displayName: string;
    subject: string;
    passwordHash: string;
  },
): Promise<void> {
  await tx.run(sql`
    insert into accounts (id, account_type, display_name)
    values (${account.accountId}, ${account.accountType}, ${account.displayName})`);
  await insertIdentity(tx, account);
}

export async function insertIdentity(
  tx: Tx,
  identity: {
    accountId: string;
    accountType: AccountTypeName;
    subject: string;
    passwordHash: string | null;
  },
): Promise<void> {
  await tx.run(sql`
    insert into identities (account_type, subject, account_id, password_hash)
    values (${identity.accountType}, ${identity.subject}, ${identity.accountId},
            ${identity.passwordHash})`);
}

/** One password for all names a player can type, and nobody stays signed in with the old one. */
export async function updatePassword(
  tx: Tx,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
): Promise<void> {
  await tx.run(sql`
    update identities set password_hash = ${passwordHash}
    where account_id = ${accountId} and account_type in ('ACCOUNT', 'EMAIL', 'MOBILE')`);
  await tx.run(sql`delete from sessions where account_id = ${accountId}`);
}

export function selectIsKnownNetwork(
  db: Db,
  key: { accountId: string; network: string; since: Date },
): Promise<{ is_known: boolean }> {
  return db.one(
    z.object({ is_known: z.boolean() }),
    sql`
      select exists (
        select from known_networks
        where account_id = ${key.accountId} and network = ${key.network}::cidr
          and last_at > ${key.since}) as is_known`,
  );
}

export async function upsertKnownNetwork(
  tx: Tx,
  known: { accountId: string; network: string; at: Date },
): Promise<void> {
  await tx.run(sql`
    insert into known_networks (account_id, network, last_at)
    values (${known.accountId}, ${known.network}::cidr, ${known.at})
    on conflict (account_id, network) do update set last_at = excluded.last_at`);
}

export async function deleteOldNetworks(tx: Tx, before: Date): Promise<void> {
  await tx.run(sql`
    delete from known_networks where (account_id, network) in
      (select account_id, network from known_networks where last_at <= ${before} limit 10000)`);
}

export async function insertGameAccount(
  tx: Tx,
  binding: { accountId: string; gameId: string; gameAccountId: string },
): Promise<void> {
  await tx.run(sql`
    insert into game_accounts (account_id, game_id, game_account_id)
    values (${binding.accountId}, ${binding.gameId}, ${binding.gameAccountId})
    on conflict do nothing`);
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

export function selectSession(
  db: Db,
  key: { accountId: string; siteId: string; tokenHash: Buffer },
) {
  return db.maybeOne(
    z.object({ is_live: z.boolean() }),
    sql`
      select token_hash = ${key.tokenHash} and expires_at > now() as is_live from sessions
      where account_id = ${key.accountId} and site_id = ${key.siteId}`,
  );
}

/** Replaces whatever session the account had on this site. */
export async function upsertSession(
  tx: Tx,
  session: { accountId: string; siteId: string; tokenHash: Buffer; days: number },
): Promise<void> {
  await tx.run(sql`
    insert into sessions (account_id, site_id, token_hash, expires_at)
    values (${session.accountId}, ${session.siteId}, ${session.tokenHash},
            now() + make_interval(days => ${session.days}))
    on conflict (account_id, site_id) do update
    set token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()`);
}

export async function deleteSession(
  tx: Tx,
  key: { accountId: string; siteId: string; tokenHash: Buffer },
): Promise<void> {
  await tx.run(sql`
    delete from sessions
    where account_id = ${key.accountId} and site_id = ${key.siteId} and token_hash = ${key.tokenHash}`);
}

/** False when this envelope was used before. */
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

export async function deleteOldEnvelopes(tx: Tx): Promise<number> {
  return await tx.run(sql`
    delete from used_envelopes where jti in
      (select jti from used_envelopes where expires_at < now() limit 1000)`);
}
