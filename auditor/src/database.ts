import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** Cells in PostgreSQL's text format; null is the empty text. */
type Row = readonly string[];
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * Read access to the shop's tables, or to those of a physical replica. Each query is one statement
 * with its own snapshot. No transaction stays open between queries, because it would block vacuum
 * or be cancelled on a replica.
 */
export interface Database {
  query: Query;
  close(): Promise<void>;
}

/** Two, so that one query runs while the result of the other is processed. */
const connectionsMax = 2;

// Read-only whoever connects, without parallel workers that would take cores from the shop, and
// with a fixed text format of values.
const settings = `
  set default_transaction_read_only = on; set jit = off; set max_parallel_workers_per_gather = 0;
  set work_mem = '32MB'; set statement_timeout = 0;
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'`;

/** Every cell is read as text: most are only compared or shown, and never used in arithmetic. */
const asText = { getTypeParser: () => (cell: string) => cell };

export async function openDatabase(databaseUrl: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'pointgate-audit',
    max: connectionsMax,
    types: asText,
  });
  // Running queries fail when a connection is lost; without a listener the error would end the
  // process.
  pool.on('error', () => {});
  const query: Query = async (text, values = []) => {
    const client = await pool.connect();
    try {
      if (!prepared.has(client)) {
        await client.query(settings);
        prepared.add(client);
      }
      const { rows } = await client.query<(string | null)[]>({
        text,
        values: [...values],
        rowMode: 'array',
      });
      return rows.map((row) => row.map((cell) => cell ?? ''));
    } finally {
      client.release();
    }
  };
  return {
    query: (...question) => retry(() => query(...question)),
    close: () => pool.end(),
  };
}

const prepared = new WeakSet<pg.PoolClient>();

// Errors that are worth a retry: a replica cancels queries that conflict with recovery.
const isTransient = new Set(['40001', '40P01']);
const triesMax = 10;
const pauseMs = 500;

async function retry<T>(ask: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (!isTransient.has(code) || tries >= triesMax) throw error;
    await setTimeout(pauseMs * tries);
    return await retry(ask, tries + 1);
  }
}
