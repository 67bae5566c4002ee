import { type Db, sql } from './db.ts';

const monthsAhead = 2;

/** Makes the months that orders will soon fall into. Cheap, and harmless to repeat. */
export async function ensurePartitions(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Only one worker at a time, or two would make the same table.
    await tx.run(sql`select pg_advisory_xact_lock(7301866)`);
    await tx.run(sql`
      select ensure_month_partitions(inhparent::regclass, ${monthsAhead})
      from (select distinct inhparent from pg_inherits
            join pg_class on pg_class.oid = inhparent
            join pg_namespace on pg_namespace.oid = relnamespace
            where relkind = 'p' and nspname = 'public') as parents`);
  });
}
