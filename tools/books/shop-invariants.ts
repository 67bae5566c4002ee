import type pg from 'pg';
import { patience, type ShopInvariant } from './invariant.ts';
import { ledgerInvariants } from './ledger-invariants.ts';
import { orderInvariants } from './order-invariants.ts';
import type { Finding } from './report.ts';

// Written against the tables alone and not against the server's code: whoever audits the books must
// not share the bookkeeper's mistakes.

const workInvariants: readonly ShopInvariant[] = [
  {
    id: 'I11',
    claim: 'nothing lies in the inbox or the job queue for more than two minutes',
    count: `select (select count(*) from provider_inbox)
                 + (select count(*) from pgboss.job where state < 'completed') as count`,
    violations: [
      `select format('event %s of %s is not processed', event_id, psp) as violation
       from provider_inbox where processed_at is null and received_at < now() - ${patience}`,
      `select format('job %s of %s is %s', id, name, state) as violation from pgboss.job
       where (state < 'active' and start_after < now() - ${patience})
          or (state = 'active' and started_on < now() - ${patience})
          or (state = 'failed')`,
    ],
  },
];

const invariants = [...ledgerInvariants, ...orderInvariants, ...workInvariants];

export async function checkShop(database: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, claim, count, violations } of invariants) {
    const counted = await database.query<{ count: string }>(count);
    const found: string[] = [];
    for (const query of violations) {
      const { rows } = await database.query<{ violation: string }>(query);
      for (const { violation } of rows) found.push(violation);
    }
    findings.push({
      id,
      claim,
      checked: Number(counted.rows[0]?.count ?? 0),
      violations: found,
    });
  }
  return findings;
}
