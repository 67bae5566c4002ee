import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openSession, type Session } from './connections.ts';
import type { DbOptions } from './db.ts';
import { refuseOtherStage, type Stage, stampStage } from './installation.ts';
import { lockMs, retryOnLock } from './lock-retries.ts';
import { log } from './log.ts';

/**
 * How a file runs, by its name:
 *
 * - `0042_name.sql` in one transaction. It may take strong locks if it is done at once.
 * - `0042_name.online.sql` a statement after the other, each by itself, with a line `-- next` between
 *   them: what PostgreSQL does beside the shop's work and not in a transaction. One that begins with a
 *   line `-- for each partition of orders` runs for each of these, in the place of `{partition}`.
 * - `0042_name.batch.sql` one statement that changes some rows, again and again until it finds none.
 */
interface Migration {
  name: string;
  checksum: string;
  text: string;
}

// Any number, as long as all processes that migrate use the same.
const migrationLock = 7_301_865;
const askForTurnMs = 200;

/**
 * Runs the SQL files that this database has not run yet, in order. Concurrent migrations take
 * turns. An edited file is refused: changes require another file. The shop keeps running meanwhile:
 * a lock that is not available is given up after a moment and requested again, so that no session
 * waits behind it. Nothing runs on a database of another stage; one without a stage gets this one
 * in the end. Both happen in the same turn, so of two stages that begin together one is refused.
 */
export async function migrate(
  connection: Omit<DbOptions, 'connectionsMax'>,
  folder: URL,
  stage?: Stage,
): Promise<void> {
  const session = await openSession(connection);
  try {
    await waitForTurn(session);
    if (stage !== undefined) await refuseOtherStage(session, stage);
    await session.execute(`
      set statement_timeout = 0;
      set lock_timeout = ${lockMs};
      set idle_in_transaction_session_timeout = 0;
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now());
      create table if not exists schema_migration_steps (
        name text not null, step int not null, checksum text not null, primary key (name, step))`);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8');
      await applyOnce(session, { name, text, checksum: hashOf(text) });
    }
    if (stage !== undefined) await stampStage(session, stage);
  } finally {
    await session.close();
  }
}

/**
 * Polls instead of waiting for the lock, because CREATE INDEX CONCURRENTLY waits for sessions that
 * wait.
 */
async function waitForTurn(session: Session): Promise<void> {
  const Turn = z.tuple([z.object({ is_ours: z.boolean() })]);
  for (;;) {
    const { rows } = await session.execute(
      `select pg_try_advisory_lock(${migrationLock}) as is_ours`,
    );
    if (Turn.parse(rows)[0].is_ours) return;
    await sleep(askForTurnMs);
  }
}

const Known = z.array(z.object({ checksum: z.string() })).max(1);

async function applyOnce(session: Session, migration: Migration): Promise<void> {
  const { name, checksum } = migration;
  const { rows } = await session.execute('select checksum from schema_migrations where name = $1', [
    name,
  ]);
  const [known] = Known.parse(rows);
  if (known?.checksum === checksum) return;
  if (known !== undefined) throw new Error(`${name} was edited after it ran here`);
  if (name.endsWith('.online.sql')) await applySteps(session, migration);
  else if (name.endsWith('.batch.sql')) await applyBatches(session, migration);
  else await applyWhole(session, migration);
  log.info({ migration: name }, 'migrated');
}

const insertMigration = 'insert into schema_migrations (name, checksum) values ($1, $2)';

async function applyWhole(session: Session, { name, checksum, text }: Migration): Promise<void> {
  await retryOnLock(name, async () => {
    await session.execute(`begin; set local lock_timeout = ${lockMs}`);
    try {
      await session.execute(text);
      await session.execute(insertMigration, [name, checksum]);
      await session.execute('commit');
    } catch (error) {
      await session.execute('rollback');
      throw error;
    }
  });
}

export const betweenSteps = /^-- next$/m;

async function applySteps(session: Session, { name, checksum, text }: Migration): Promise<void> {
  const { rows } = await session.execute(
    'select checksum from schema_migration_steps where name = $1 order by step',
    [name],
  );
  const done = z.array(z.object({ checksum: z.string() })).parse(rows);
  for (const [step, statement] of text.split(betweenSteps).entries()) {
    const known = done[step]?.checksum;
    if (known === hashOf(statement)) continue;
    if (known !== undefined) throw new Error(`step ${step + 1} of ${name} was edited after it ran`);
    for (const each of await statementsOf(session, statement)) {
      await retryOnLock(name, () => applyStatement(session, each));
    }
    await session.execute('insert into schema_migration_steps values ($1, $2, $3)', [
      ...[name, step, hashOf(statement)],
    ]);
    log.info({ migration: name, step: step + 1 }, 'a migration step was applied');
  }
  await session.execute(insertMigration, [name, checksum]);
}

const eachPartition = /^\s*-- for each partition of (\w+)$/m;

/** The statements of a step of an online file, one for each partition if requested. */
export async function statementsOf(session: Session, step: string): Promise<string[]> {
  const table = eachPartition.exec(step)?.[1];
  if (table === undefined) return [step];
  const { rows } = await session.execute(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = $1::regclass order by 1`,
    [table],
  );
  const partitions = z.array(z.object({ name: z.string() })).parse(rows);
  return partitions.map(({ name }) => step.replaceAll('{partition}', name));
}

async function applyStatement(session: Session, statement: string): Promise<void> {
  await dropUnfinishedIndex(session, statement);
  // Such a statement blocks no other session, so it needs no lock timeout.
  await session.execute(`set lock_timeout = ${letsEverybodyPass(statement) ? 0 : lockMs}`);
  await session.execute(statement);
}

/**
 * Whether the statement waits for earlier transactions without blocking later ones, and cannot run
 * in a transaction.
 */
export function letsEverybodyPass(statement: string): boolean {
  return /\bconcurrently\b/i.test(statement);
}

/**
 * An index left by a failed CREATE INDEX CONCURRENTLY is invalid: it costs writes and serves no
 * reads.
 */
async function dropUnfinishedIndex(session: Session, statement: string): Promise<void> {
  const named = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;
  const index = named.exec(statement)?.[1];
  if (index === undefined) return;
  const { rows } = await session.execute(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rows.length > 0) await session.execute(`drop index concurrently ${index}`);
}

const tellEveryMs = 10_000;

/** One commit per batch, and a pause of the same duration after each for the shop. */
async function applyBatches(session: Session, { name, checksum, text }: Migration): Promise<void> {
  let changed = 0;
  let toldMs = Date.now();
  for (;;) {
    const begunMs = Date.now();
    const count = await retryOnLock(name, async () => (await session.execute(text)).changed);
    if (count === 0) break;
    changed += count;
    if (Date.now() - toldMs >= tellEveryMs) {
      log.info({ migration: name, changed }, 'a migration batch was applied');
      toldMs = Date.now();
    }
    await sleep(Date.now() - begunMs);
  }
  await session.execute(insertMigration, [name, checksum]);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
