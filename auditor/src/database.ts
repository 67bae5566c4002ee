import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** Cells as PostgreSQL writes them; nothing is the empty text. */
type Row = readonly string[];
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * The shop's tables, or those of a physical replica. Each question is one statement and so of one moment;
 * no transaction is open between two of them, which would keep vacuum waiting or be cancelled on a replica.
 */
export interface Database {
  query: Query;
  close(): Promise<void>;
}

/** One is answered while the answer of the other is judged. */
const connectionsMax = 2;

// Nothing is written, whoever connects. Nobody's cores are taken, and cells are written in one way only.
const settings = `
  set default_transaction_read_only = on; set jit = off; set max_parallel_workers_per_gather = 0;
  set work_mem = '32MB'; set statement_timeout = 0;
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'`;

/** Every cell as text: most are compared or shown and never reckoned with. */
const asText = { getTypeParser: () => (cell: string) => cell };

export async function openDatabase(databaseUrl: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'pointgate-audit',
    max: connectionsMax,
    types: asText,
  });
  // What is under way fails when a connection is lost; without a listener the process would end.
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
    query: (...question) => again(() => query(...question)),
    close: () => pool.end(),
  };
}

const prepared = new WeakSet<pg.PoolClient>();

// A replica that has to go on cancels whoever reads what it removes.
const isPassing = new Set(['40001', '40P01']);
const triesMax = 10;
const pauseMs = 500;

async function again<T>(ask: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (!isPassing.has(code) || tries >= triesMax) throw error;
    await setTimeout(pauseMs * tries);
    return await again(ask, tries + 1);
  }
}
