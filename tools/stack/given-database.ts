import pg from 'pg';

/**
 * Refuses to run a demo in a database with data, because the demo creates accounts with public
 * passwords. An empty database is accepted.
 */
export async function requireEmptyDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query("select from pg_tables where schemaname = 'public' limit 1");
    if (found.rowCount === 0) return;
    throw new Error(
      'DATABASE_URL names a database that is not empty, and a demo would write accounts with public passwords into it. Unset it, or name an empty one.',
    );
  } finally {
    await client.end();
  }
}
