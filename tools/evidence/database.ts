import pg from 'pg';
import type { Place } from './find-leaks.ts';

const { escapeIdentifier } = pg;

/** All rows of all tables as text, including those of the job engine. */
export async function dumpDatabase(databaseUrl: string): Promise<Place[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // In one snapshot, like a stolen copy.
    await client.query('begin isolation level repeatable read read only');
    const { rows: tables } = await client.query<{ schema: string; name: string }>(`
      select nspname as schema, relname as name
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'm') and nspname <> 'information_schema' and nspname !~ '^pg_'
      order by schema, name`);
    const places: Place[] = [];
    for (const { schema, name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select each::text as row from ${escapeIdentifier(schema)}.${escapeIdentifier(name)} each`,
      );
      places.push({
        name: `table ${schema}.${name}`,
        text: rows.map(({ row }) => row).join('\n'),
      });
    }
    return places;
  } finally {
    await client.end();
  }
}
