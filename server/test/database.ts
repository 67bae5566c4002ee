import pg from 'pg';
import { inject } from 'vitest';
import { type Db, openDb } from '../src/platform/db.ts';
import { costing } from './costs.ts';

export interface TestDatabase {
  url: string;
  /** Opens a pool with longer timeouts than a shop's, for busy machines. */
  open: (connectionsMax: number) => Db;
  drop: () => Promise<void>;
}

export const patientSeconds = 60;

let clones = 0;

/** Creates a separate copy of the migrated, empty database. */
export function cloneDatabase(): Promise<TestDatabase> {
  return createDatabase('template_pointgate');
}

/** Creates a separate database without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  clones += 1;
  // The process id distinguishes databases of parallel workers.
  const name = `test_${process.pid}_${clones}`;
  // The strategy file_copy is as fast, but begins with a checkpoint, which sometimes took ten times
  // as long while other tests wrote much.
  await costing('clone', () =>
    runAsAdmin(`create database ${name} template ${template} strategy wal_log`),
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    open: (connectionsMax) =>
      openDb({
        url: url.href,
        connectionsMax,
        applicationName: 'test',
        waitSeconds: patientSeconds,
      }),
    drop: () => runAsAdmin(`drop database if exists ${name} with (force)`),
  };
}

/** A copy of the database with a pool of connections. */
export async function openTestDb(): Promise<{ db: Db; close: () => Promise<void> }> {
  const { open, drop } = await cloneDatabase();
  const db = open(10);
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
