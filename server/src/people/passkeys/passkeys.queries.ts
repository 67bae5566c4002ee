import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

export type Purpose = 'register' | 'sign_in' | 'step_up';

/** The purpose of a challenge and its holder, which must return it. */
interface ChallengeKey {
  challengeHash: Buffer;
  purpose: Purpose;
  siteId: string;
  holderHash: Buffer;
}

/** The scope of a passkey: its site and the host name of its registration. */
export interface Place {
  siteId: string;
  rpId: string;
}

const PasskeyRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  credential_id: z.instanceof(Buffer),
  public_key: z.instanceof(Buffer),
  counter: z.bigint(),
  transports: z.array(z.string()),
  name: z.string(),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
});
export type PasskeyRow = z.output<typeof PasskeyRow>;

const passkeyColumns = sql`
  id, account_id, credential_id, public_key, counter, transports, name, created_at, last_used_at`;

export async function insertChallenge(
  tx: Tx,
  challenge: ChallengeKey & { minutes: number },
): Promise<void> {
  await tx.run(sql`
    insert into passkey_challenges (challenge_hash, purpose, site_id, holder_hash, expires_at)
    values (${challenge.challengeHash}, ${challenge.purpose}, ${challenge.siteId},
            ${challenge.holderHash}, now() + make_interval(mins => ${challenge.minutes}))`);
}

/** Uses up the challenge. Another holder does not match and cannot use it up. */
export async function takeChallenge(tx: Tx, key: ChallengeKey): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from passkey_challenges
    where challenge_hash = ${key.challengeHash} and purpose = ${key.purpose}
      and site_id = ${key.siteId} and holder_hash = ${key.holderHash} and expires_at > now()`);
  return deleted === 1;
}

export const deleteOldChallenges: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from passkey_challenges where challenge_hash in
      (select challenge_hash from passkey_challenges where expires_at < now() limit ${rowsMax})`);

export function selectPasskeys(
  db: Db | Tx,
  key: Place & { accountId: string },
): Promise<PasskeyRow[]> {
  return db.many(
    PasskeyRow,
    sql`
      select ${passkeyColumns} from passkeys
      where account_id = ${key.accountId} and site_id = ${key.siteId} and rp_id = ${key.rpId}
      order by created_at, id limit 100`,
  );
}

export function selectCredential(db: Db, key: Place & { credentialId: Buffer }) {
  return db.maybeOne(
    PasskeyRow,
    sql`
      select ${passkeyColumns} from passkeys
      where credential_id = ${key.credentialId} and site_id = ${key.siteId}
        and rp_id = ${key.rpId}`,
  );
}

/** Undefined if the credential exists already. */
export function insertPasskey(
  tx: Tx,
  passkey: Place & {
    id: string;
    accountId: string;
    credentialId: Buffer;
    publicKey: Buffer;
    counter: number;
    transports: string[];
    name: string;
  },
): Promise<PasskeyRow | undefined> {
  return tx.maybeOne(
    PasskeyRow,
    sql`
      insert into passkeys (id, account_id, site_id, rp_id, credential_id, public_key, counter,
                            transports, name)
      values (${passkey.id}, ${passkey.accountId}, ${passkey.siteId}, ${passkey.rpId},
              ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
              ${passkey.transports}, ${passkey.name})
      on conflict (credential_id) do nothing
      returning ${passkeyColumns}`,
  );
}

/**
 * Records a use. False if the passkey is gone, or was used in the meantime with a counter at least
 * as high, which means that the authenticator was cloned.
 */
export async function updateUsed(
  tx: Tx,
  { passkeyId, counter }: { passkeyId: string; counter: number },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update passkeys set counter = ${counter}, last_used_at = now()
    where id = ${passkeyId}
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`);
  return updated === 1;
}

export async function deletePasskey(
  tx: Tx,
  key: Place & { accountId: string; passkeyId: string },
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from passkeys
    where id = ${key.passkeyId} and account_id = ${key.accountId}
      and site_id = ${key.siteId} and rp_id = ${key.rpId}`);
  return deleted === 1;
}

/** Deletes the passkeys on all sites and answers the site of each. */
export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx.many(
    z.object({ site_id: z.string() }),
    sql`delete from passkeys where account_id = ${accountId} returning site_id`,
  );
  return rows.map(({ site_id }) => site_id);
}

/** Deletes passkeys on all sites that were added at or after this time and answers their number. */
export async function deletePasskeysSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<number> {
  return await tx.run(sql`
    delete from passkeys where account_id = ${accountId} and created_at >= ${since}`);
}
