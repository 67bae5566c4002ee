import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Db, rawExecutorOf, sql } from './db.ts';
import { log } from './log.ts';

// Any number will do, as long as every process that migrates uses the same one.
const migrationLock = 7_301_865;

const Checksum = z.object({ checksum: z.string() });

/**
 * Runs the SQL files that this database has not seen, in order, each in its own transaction. Two
 * processes at once wait for each other. An edited file is refused: the way back is another file.
 */
export async function migrate(db: Db, folder: URL): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${migrationLock})`);
    await tx.run(sql`
      create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now()
      )`);
  });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of names) {
    await applyOnce(db, { name, text: await readFile(new URL(name, folder), 'utf8') });
  }
}

async function applyOnce(db: Db, { name, text }: { name: string; text: string }): Promise<void> {
  const checksum = createHash('sha256').update(text).digest('hex');
  await db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${migrationLock})`);
    const known = await tx.maybeOne(
      Checksum,
      sql`select checksum from schema_migrations where name = ${name}`,
    );
    if (known?.checksum === checksum) return;
    if (known !== undefined) throw new Error(`${name} was edited after it ran here`);
    await tx.run(sql`set local statement_timeout = 0`);
    await rawExecutorOf(tx).executeSql(text);
    await tx.run(sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`);
    tx.afterCommit(() => log.info({ migration: name }, 'migrated'));
  });
}
