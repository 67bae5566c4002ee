import pg from 'pg';

/** Cells as PostgreSQL writes them; nothing is the empty text. */
export type Row = readonly string[];
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** All tables at one moment, so that work under way is not taken for a contradiction. */
export interface Snapshot {
  /** Asks as soon as a connection is free; several questions are answered at once. */
  query: Query;
  /**
   * For what takes long and nobody waits for. One connection always answers such questions if there are
   * any, so that PostgreSQL has something to do while its answers are read; the others do if nothing
   * else was asked.
   */
  queryAside: Query;
  /** As the tables are now, with what has come since. */
  queryNow: Query;
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
      const client = await connect(databaseUrl);
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
  const queryNow: Query = (...question) => askAnew(databaseUrl, ...question);
  return { ...takingTurns(clients), queryNow, close };
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'books' });
  await client.connect();
  return client;
}

async function begin(client: pg.Client, shared: string): Promise<void> {
  await client.query('begin transaction isolation level repeatable read, read only');
  if (shared !== '') await client.query(`set transaction snapshot '${shared}'`);
  // Whole tables are gone through in memory, and each connection keeps one core busy.
  await client.query(`
    set local work_mem = '128MB'; set local jit = off;
    set local max_parallel_workers_per_gather = 0; set local timezone = 'UTC'`);
}

type Start = (client: pg.Client) => void;

/** Gives each question a connection, in the order in which they come. */
function takingTurns(clients: readonly pg.Client[]): Pick<Snapshot, 'query' | 'queryAside'> {
  const free = [...clients];
  const soon: Start[] = [];
  const aside: Start[] = [];
  let soonRunning = 0;
  const startNext = () => {
    const isAside = aside.length > 0 && (soon.length === 0 || soonRunning >= clients.length - 1);
    const start = (isAside ? aside : soon)[0];
    const client = start === undefined ? undefined : free.pop();
    if (start === undefined || client === undefined) return;
    if (isAside) aside.shift();
    else {
      soon.shift();
      soonRunning += 1;
    }
    start(client);
    startNext();
  };
  const answer = async (waiting: Start[], sql: string, values?: readonly unknown[]) => {
    const client = await new Promise<pg.Client>((resolve) => {
      waiting.push(resolve);
      startNext();
    });
    try {
      return await ask(client, sql, values);
    } finally {
      free.push(client);
      if (waiting === soon) soonRunning -= 1;
      startNext();
    }
  };
  return {
    query: (sql, values) => answer(soon, sql, values),
    queryAside: (sql, values) => answer(aside, sql, values),
  };
}

async function askAnew(databaseUrl: string, ...question: Parameters<Query>): Promise<Row[]> {
  const client = await connect(databaseUrl);
  try {
    return await ask(client, ...question);
  } finally {
    await client.end();
  }
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
