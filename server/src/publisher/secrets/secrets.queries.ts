import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

/** The name of a secret: whose it is, as `game:solmere`, and for what. */
export interface SecretName {
  owner: string;
  name: string;
}

const states = ['current', 'next', 'retired'] as const;

const SecretRow = z.object({
  owner: z.string(),
  name: z.string(),
  version: z.int(),
  state: z.enum(states),
  set_by: z.string(),
  set_at: z.date(),
});

const SealedRow = z.object({
  owner: z.string(),
  name: z.string(),
  version: z.int(),
  state: z.enum(states).exclude(['retired']),
  key_id: z.string(),
  sealed: z.instanceof(Buffer),
});
export type SealedRow = z.output<typeof SealedRow>;

/** Every version of every secret, without its value. */
export async function selectSecrets(db: Db) {
  return await db.many(
    SecretRow,
    sql`
      select owner, name, version, state, set_by, set_at from secrets
      order by owner, name, version`,
  );
}

/** The secrets that are in use; of two versions the current one comes first. */
export async function selectSealed(db: Db | Tx): Promise<SealedRow[]> {
  return await db.many(
    SealedRow,
    sql`
      select owner, name, version, state, key_id, sealed from secrets
      where state <> 'retired' order by owner, name, state = 'next'`,
  );
}

/** Lets changes of the same secret wait for each other, the first one of all included. */
export async function lockSecret(tx: Tx, { owner, name }: SecretName): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`secret ${owner} ${name}`}, 0))`,
  );
}

export async function selectVersions(tx: Tx, { owner, name }: SecretName) {
  return await tx.many(
    SecretRow.pick({ version: true, state: true }),
    sql`
      select version, state from secrets where owner = ${owner} and name = ${name}
      order by version desc`,
  );
}

export async function insertSecret(
  tx: Tx,
  secret: SecretName & {
    version: number;
    state: 'current' | 'next';
    keyId: string;
    sealed: Buffer;
    by: string;
    at: Date;
  },
): Promise<void> {
  const { owner, name, version, state, keyId, sealed, by, at } = secret;
  await tx.run(sql`
    insert into secrets (owner, name, version, state, key_id, sealed, set_by, set_at)
    values (${owner}, ${name}, ${version}, ${state}, ${keyId}, ${sealed}, ${by}, ${at})`);
}

/** Erases the values of these states. */
export async function retireSecrets(
  tx: Tx,
  { owner, name, states: ended }: SecretName & { states: readonly ('current' | 'next')[] },
): Promise<void> {
  await tx.run(sql`
    update secrets set state = 'retired', key_id = null, sealed = null
    where owner = ${owner} and name = ${name} and state = any(${ended})`);
}

export async function makeNextCurrent(tx: Tx, { owner, name }: SecretName): Promise<void> {
  await tx.run(sql`
    update secrets set state = 'current'
    where owner = ${owner} and name = ${name} and state = 'next'`);
}

/** Locks the secrets that are sealed under another key. */
export async function lockSealedUnderOthers(tx: Tx, keyId: string): Promise<SealedRow[]> {
  return await tx.many(
    SealedRow,
    sql`
      select owner, name, version, state, key_id, sealed from secrets
      where key_id <> ${keyId} order by owner, name, version for update`,
  );
}

export async function updateSealed(
  tx: Tx,
  secret: SecretName & { version: number; keyId: string; sealed: Buffer },
): Promise<void> {
  const { owner, name, version, keyId, sealed } = secret;
  await tx.run(sql`
    update secrets set key_id = ${keyId}, sealed = ${sealed}
    where owner = ${owner} and name = ${name} and version = ${version}`);
}
