import pg from 'pg';

/** Cells as PostgreSQL writes them; nothing is the empty text. */
export type Row = readonly string[];
type Query = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** All tables at one moment, so that work under way is not taken for a contradiction. */
export interface Snapshot {
  /** Asks as soon as a connection is free; several questions are answered at once. */
  query: Query;
  close(): Promise<void>;
}

/** How many questions are answered at once: a few more than the smallest machine has cores. */
const connectionsMax = 3;

export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  const clients: pg.Client[] = [];
  const close = async () => {
    await Promise.all(clients.map((client) => client.end()));
  };
  try {
    let shared = '';
    for (let index = 0; index < connectionsMax; index += 1) {
      const client = new pg.Client({ connectionString: databaseUrl, application_name: 'books' });
      await client.connect();
      clients.push(client);
      await begin(client, shared);
      if (shared !== '') continue;
      const [exported] = await ask(client, 'select pg_export_snapshot()');
      shared = exported?.[0] ?? '';
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { query: takingTurns(clients), close };
}

async function begin(client: pg.Client, shared: string): Promise<void> {
  await client.query('begin transaction isolation level repeatable read, read only');
  if (shared !== '') await client.query(`set transaction snapshot '${shared}'`);
  // Whole tables are gone through in memory, and each connection keeps one core busy.
  await client.query(`
    set local work_mem = '128MB'; set local jit = off;
    set local max_parallel_workers_per_gather = 0; set local timezone = 'UTC'`);
}

/** Gives each question a connection, in the order in which they come. */
function takingTurns(clients: readonly pg.Client[]): Query {
  const free = [...clients];
  const waiting: ((client: pg.Client) => void)[] = [];
  const take = () => {
    const client = free.pop();
    if (client !== undefined) return Promise.resolve(client);
    return new Promise<pg.Client>((resolve) => {
      waiting.push(resolve);
    });
  };
  return async (sql, values) => {
    const client = await take();
    try {
      return await ask(client, sql, values);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(client);
      else next(client);
    }
  };
}

/** Every cell as text: most are compared or shown and never reckoned with. */
const asText = { getTypeParser: () => (cell: string) => cell };

async function ask(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  });
  return rows.map((row) => row.map((cell) => cell ?? ''));
}
