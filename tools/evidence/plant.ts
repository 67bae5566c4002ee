import pg from 'pg';

/** Stores a text in a separate table while the work runs. */
export async function withPlantedRow<T>(
  databaseUrl: string,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('create table canary_scratch (bytes bytea)');
    await client.query('insert into canary_scratch values ($1)', [Buffer.from(`(${text})`)]);
    return await work();
  } finally {
    await client.query('drop table if exists canary_scratch');
    await client.end();
  }
}
