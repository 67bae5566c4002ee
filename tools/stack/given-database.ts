import pg from 'pg';

/**
 * Refuses to open a demo in somebody's database: it would leave accounts there whose passwords
 * everybody can read. An empty one may be given.
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
