import { z } from 'zod';
import {
  type Db,
  openDb,
  openRawExecutor,
  type RawExecutor,
  sql,
  type Tx,
} from '../src/platform/db.ts';
import { cloneDatabase } from './database.ts';

/** A separate database for tests of the platform, with a table that belongs to no feature. */
export interface Scratch {
  url: string;
  db: Db;
  executor: RawExecutor;
  notes(): Promise<string[]>;
  close(): Promise<void>;
}

const Text = z.object({ text: z.string() });

export async function openScratch({ connectionsMax = 5 } = {}): Promise<Scratch> {
  const { url, drop } = await cloneDatabase();
  const options = { url, connectionsMax, applicationName: 'test' };
  const db = openDb(options);
  const executor = openRawExecutor(options);
  await executor.executeSql('create table notes (text text primary key, amount bigint)');
  return {
    url,
    db,
    executor,
    notes: async () =>
      (await db.many(Text, sql`select text from notes order by text`)).map(({ text }) => text),
    close: async () => {
      await db.close();
      await executor.close();
      await drop();
    },
  };
}

/** When a migration ran, which determines its partitions. The test may run a day later. */
export async function migratedAt({ db }: Scratch, name: string): Promise<Date> {
  const { at } = await db.one(
    z.object({ at: z.date() }),
    sql`select applied_at as at from schema_migrations where name = ${name}`,
  );
  return at;
}

export async function writeNote(tx: Tx, text: string, amount = 0n): Promise<void> {
  await tx.run(sql`insert into notes (text, amount) values (${text}, ${amount})`);
}
