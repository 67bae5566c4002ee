import type { MethodReturningTo, ProviderMethod } from '@pointgate/contract/sign-in-providers.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

const AwayRow = z.object({
  browser_hash: z.instanceof(Buffer),
  in_wechat: z.boolean(),
  nonce: z.string(),
  pkce_verifier: z.string(),
  return_path: z.string(),
});

const HandoffRow = z.object({
  outcome: z.enum(['known', 'unknown', 'failed', 'cancelled']),
  account_id: z.uuid().nullable(),
  return_path: z.string(),
});
export type Outcome = z.output<typeof HandoffRow>['outcome'];

const OpenIdRow = z.object({ app_id: z.string(), open_id: z.string() });

export async function insertAway(
  tx: Tx,
  away: {
    stateHash: Buffer;
    browserHash: Buffer;
    siteId: string;
    method: ProviderMethod;
    inWechat: boolean;
    nonce: string;
    pkceVerifier: string;
    returnPath: string;
    minutes: number;
  },
): Promise<void> {
  await tx.run(sql`
    insert into sign_ins_elsewhere (state_hash, browser_hash, site_id, method, in_wechat, nonce,
                                    pkce_verifier, return_path, expires_at)
    values (${away.stateHash}, ${away.browserHash}, ${away.siteId}, ${away.method},
            ${away.inWechat}, ${away.nonce}, ${away.pkceVerifier}, ${away.returnPath},
            now() + make_interval(mins => ${away.minutes}))`);
}

/** Uses up the state. A request from another browser does not match, so it cannot use it up. */
export function takeAway(
  tx: Tx,
  key: { stateHash: Buffer; browserHash: Buffer; siteId: string; method: ProviderMethod },
) {
  return tx.maybeOne(
    AwayRow,
    sql`
      delete from sign_ins_elsewhere
      where state_hash = ${key.stateHash} and browser_hash = ${key.browserHash}
        and site_id = ${key.siteId} and method = ${key.method} and expires_at > now()
      returning browser_hash, in_wechat, nonce, pkce_verifier, return_path`,
  );
}

/**
 * The same for a form, which is posted without the browser's cookie; the handoff checks the browser
 * later.
 */
export function takeAwayOfAnyBrowser(
  tx: Tx,
  key: { stateHash: Buffer; siteId: string; method: MethodReturningTo<'form'> },
) {
  return tx.maybeOne(
    AwayRow,
    sql`
      delete from sign_ins_elsewhere
      where state_hash = ${key.stateHash} and site_id = ${key.siteId}
        and method = ${key.method} and expires_at > now()
      returning browser_hash, in_wechat, nonce, pkce_verifier, return_path`,
  );
}

export async function insertHandoff(
  tx: Tx,
  handoff: {
    handoffHash: Buffer;
    browserHash: Buffer;
    siteId: string;
    outcome: Outcome;
    accountId: string | null;
    returnPath: string;
    minutes: number;
  },
): Promise<void> {
  await tx.run(sql`
    insert into sign_in_handoffs (handoff_hash, browser_hash, site_id, outcome, account_id,
                                  return_path, expires_at)
    values (${handoff.handoffHash}, ${handoff.browserHash}, ${handoff.siteId}, ${handoff.outcome},
            ${handoff.accountId}, ${handoff.returnPath},
            now() + make_interval(mins => ${handoff.minutes}))`);
}

export function takeHandoff(
  tx: Tx,
  key: { handoffHash: Buffer; browserHash: Buffer; siteId: string },
) {
  return tx.maybeOne(
    HandoffRow,
    sql`
      delete from sign_in_handoffs
      where handoff_hash = ${key.handoffHash} and browser_hash = ${key.browserHash}
        and site_id = ${key.siteId} and expires_at > now()
      returning outcome, account_id, return_path`,
  );
}

export const deleteOldSignIns: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from sign_ins_elsewhere where state_hash in
      (select state_hash from sign_ins_elsewhere where expires_at < now() limit ${rowsMax})`);

export const deleteOldHandoffs: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from sign_in_handoffs where handoff_hash in
      (select handoff_hash from sign_in_handoffs where expires_at < now() limit ${rowsMax})`);

interface SessionKey {
  accountId: string;
  siteId: string;
}

export function selectSessionHash(db: Db, key: SessionKey) {
  return db.maybeOne(
    z.object({ token_hash: z.instanceof(Buffer) }),
    sql`
      select token_hash from sessions
      where account_id = ${key.accountId} and site_id = ${key.siteId}`,
  );
}

/** False if the session was replaced in the meantime. */
export async function upsertOpenId(
  tx: Tx,
  binding: SessionKey & { tokenHash: Buffer; appId: string; openId: string },
): Promise<boolean> {
  const bound = await tx.run(sql`
    insert into session_open_ids (account_id, site_id, token_hash, app_id, open_id)
    select account_id, site_id, token_hash, ${binding.appId}::text, ${binding.openId}::text
    from sessions
    where account_id = ${binding.accountId} and site_id = ${binding.siteId}
      and token_hash = ${binding.tokenHash}
    on conflict (account_id, site_id) do update
    set token_hash = excluded.token_hash, app_id = excluded.app_id, open_id = excluded.open_id,
        bound_at = now()`);
  return bound === 1;
}

export function selectOpenId(db: Db, key: SessionKey) {
  return db.maybeOne(
    OpenIdRow,
    sql`
      select app_id, open_id
      from session_open_ids join sessions using (account_id, site_id, token_hash)
      where account_id = ${key.accountId} and site_id = ${key.siteId}
        and sessions.expires_at > now()`,
  );
}
