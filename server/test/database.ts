import pg from 'pg';
import { inject } from 'vitest';
import { type Db, openDb } from '../src/platform/db.ts';
import { costing } from './costs.ts';

export type TestDatabase = { url: string; drop: () => Promise<void> };

let clones = 0;

/** An own copy of the migrated, empty database. Others do not see what is written to it. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  clones += 1;
  // The process id keeps apart what two workers make.
  const name = `test_${process.pid}_${clones}`;
  // Copying files instead (strategy file_copy) is as fast, but begins with a checkpoint, which now
  // and then took ten times as long when other tests had just written much.
  await costing('clone', () =>
    runAsAdmin(`create database ${name} template template_pointgate strategy wal_log`),
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runAsAdmin(`drop database if exists ${name} with (force)`),
  };
}

/** A copy of its own, with a pool of connections to it. */
export async function openTestDb(): Promise<{ db: Db; close: () => Promise<void> }> {
  const { url, drop } = await cloneDatabase();
  const db = openDb({ url, connectionsMax: 10, applicationName: 'test' });
  return {
    db,
    close: async () => {
      await db.close();
      await drop();
    },
  };
}

async function runAsAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
