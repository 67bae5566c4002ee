import type { Query } from './database.ts';
import type { Findings } from './findings.ts';
import { gracePeriod } from './invariant.ts';

// I11: no scheduled work is overdue.

const forgottenEvents = `
  select format('event %s of %s is not processed', event_id, psp)
  from provider_inbox where processed_at is null and received_at < now() - ${gracePeriod}`;

const forgottenJobs = `
  select format('job %s of %s is %s', id, name, state) from pgboss.job
  where (state < 'active' and start_after < now() - ${gracePeriod})
     or (state = 'active' and started_on < now() - ${gracePeriod})
     or (state = 'failed')`;

const forgottenAttempts = `
  select format('attempt %s of order %s is not asked about', attempt_id, payment_id)
  from payment_attempts
  where state in ('opening', 'open') and next_check_at < now() - ${gracePeriod}`;

export async function checkWork(query: Query, findings: Findings): Promise<void> {
  for (const forgotten of [forgottenEvents, forgottenJobs, forgottenAttempts]) {
    const rows = await query(`${forgotten} limit 1000`);
    findings.add(rows.map(([text = '']) => ({ id: 'I11', text })));
  }
  for (const table of ['provider_inbox', 'pgboss.job']) {
    findings.count(table, await rowsIn(query, table));
  }
}

/** PostgreSQL's estimate of the row count; small tables are counted exactly. */
const countedBelow = 100_000;

async function rowsIn(query: Query, table: string): Promise<number> {
  const [[estimate] = []] = await query(`
    select coalesce(sum(reltuples), 0)::bigint from pg_class
    where reltuples > 0 and (oid = '${table}'::regclass
      or oid in (select relid from pg_partition_tree('${table}') where isleaf))`);
  if (Number(estimate) >= countedBelow) return Number(estimate);
  return Number((await query(`select count(*) from ${table}`))[0]?.[0]);
}
