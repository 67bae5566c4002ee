import type pg from 'pg';
import type { Finding } from './report.ts';

// Written against the tables alone and not against the server's code: whoever audits the books must
// not share the bookkeeper's mistakes.

interface ShopInvariant {
  id: string;
  claim: string;
  /** Counts what is looked at, as `checked`. */
  count: string;
  /** One text `violation` for each thing that is wrong. */
  violations: string;
}

// Live work is under way while we look. What is still moving after this long is not under way.
const patience = `interval '2 minutes'`;

const signed = `
  select account_id, origin_id, credit_book as book, unit, amount_minor as amount from ledger_transfers
  union all
  select account_id, origin_id, debit_book, unit, -amount_minor from ledger_transfers`;

const legalMoves = `(values
  ('created','paying'), ('created','paid'), ('created','closed'),
  ('paying','created'), ('paying','paid'), ('paying','closed'),
  ('paid','stuck'), ('paid','arrived'), ('paid','refunding'),
  ('stuck','paid'), ('stuck','arrived'), ('stuck','refunding'),
  ('arrived','refunding'), ('closed','paid'), ('refunding','refunded')
) as legal (before, after)`;

const invariants: readonly ShopInvariant[] = [
  {
    id: 'I1',
    claim: 'all ledger entries add up to zero, per currency',
    count: 'select count(*) from ledger_transfers',
    violations: `
      select format('%s is off by %s', unit, sum(amount)) as violation
      from (${signed}) as entries group by unit having sum(amount) <> 0`,
  },
  {
    id: 'I2',
    claim: "no player's deposit is negative, and it equals what is paid and not yet arrived",
    count: 'select count(*) from orders',
    violations: `
      with deposits as (
        select account_id, origin_id, unit, sum(amount) as amount from (${signed}) as entries
        where book = 'player:deposit' group by account_id, origin_id, unit
      ), expected as (
        select account_id, payment_id, currency,
               case when state in ('paid', 'stuck') then amount_minor else 0 end as amount
        from orders where review_reason is null
      )
      select format('order %s holds %s %s, expected %s', coalesce(payment_id, origin_id),
                    coalesce(deposits.amount, 0), coalesce(unit, currency), coalesce(expected.amount, 0))
             as violation
      from expected full join deposits
        on deposits.account_id = expected.account_id and origin_id = payment_id and unit = currency
      where coalesce(deposits.amount, 0) <> coalesce(expected.amount, 0)
        and not exists (select from orders as reviewed
                        where reviewed.account_id = deposits.account_id
                          and reviewed.payment_id = deposits.origin_id
                          and reviewed.review_reason is not null)`,
  },
  {
    id: 'I4',
    claim: 'every paid order arrives once; none waits unseen',
    count: `select count(*) from orders where state in ('paid', 'stuck', 'arrived')`,
    violations: `
      select format('order %s is %s but its delivery is %s', payment_id, orders.state,
                    coalesce(deliveries.state, 'missing')) as violation
      from orders left join deliveries using (account_id, payment_id)
      where (orders.state = 'arrived' and deliveries.state is distinct from 'delivered')
         or (orders.state = 'stuck' and deliveries.state is distinct from 'declined'
             and deliveries.state is distinct from 'exhausted')
         or (orders.state = 'paid' and deliveries.state is distinct from 'queued')
         or (orders.state = 'paid' and next_try_at < now() - ${patience})`,
  },
  {
    id: 'I5',
    claim: 'no order was delivered before its money was there',
    count: `select count(*) from order_events where fact ->> 'type' = 'delivered'`,
    violations: `
      select format('order %s was delivered unpaid', delivered.payment_id) as violation
      from order_events as delivered
      where fact ->> 'type' = 'delivered' and not exists (
        select from order_events as captured
        where captured.account_id = delivered.account_id
          and captured.payment_id = delivered.payment_id
          and captured.fact ->> 'type' = 'captured' and captured.seq < delivered.seq)`,
  },
  {
    id: 'I7',
    claim: 'what was captured is what the order costs, or an operator was told',
    count: `select count(*) from order_events where fact ->> 'type' = 'captured'`,
    violations: `
      select format('order %s costs %s and captured %s', orders.payment_id, orders.amount_minor,
                    sum((fact ->> 'amountMinor')::bigint)) as violation
      from orders join order_events using (account_id, payment_id)
      where fact ->> 'type' = 'captured' and review_reason is null
      group by orders.account_id, orders.payment_id, orders.amount_minor
      having sum((fact ->> 'amountMinor')::bigint) <> orders.amount_minor`,
  },
  {
    id: 'I8',
    claim: 'every history is an unbroken path of legal moves that ends in the state shown',
    count: 'select count(*) from order_events',
    violations: `
      with steps as (
        select account_id, payment_id, seq, state_before, state_after,
               lag(state_after, 1, 'created') over history as expected_before,
               lag(seq, 1, 0) over history as previous_seq
        from order_events window history as (partition by account_id, payment_id order by seq)
      ), ends as (
        select distinct on (account_id, payment_id) account_id, payment_id, seq, state_after
        from order_events order by account_id, payment_id, seq desc
      )
      select format('order %s, event %s: from %s to %s', payment_id, seq, state_before, state_after)
             as violation
      from steps
      where state_before <> expected_before or seq <> previous_seq + 1
         or (state_before <> state_after and not exists (
               select from ${legalMoves} where before = state_before and after = state_after))
      union all
      select format('order %s is %s, its history ends with %s', payment_id, state,
                    coalesce(state_after, 'nothing'))
      from orders left join ends using (account_id, payment_id)
      where state <> coalesce(state_after, 'created') or version <> coalesce(seq, 0)`,
  },
  {
    id: 'I10',
    claim: 'every order has one intent, and every intent one order',
    count: 'select count(*) from order_keys',
    violations: `
      select format('intent %s and order %s', keys.client_order_id,
                    coalesce(keys.payment_id, orders.payment_id)) as violation
      from order_keys as keys full join orders using (account_id, payment_id)
      where keys.payment_id is null or orders.payment_id is null
      union all
      select format('order %s has %s intents', payment_id, count(*))
      from order_keys group by account_id, payment_id having count(*) > 1`,
  },
  {
    id: 'I11',
    claim: 'nothing lies in the inbox or the job queue for more than two minutes',
    count: `select (select count(*) from provider_inbox)
                 + (select count(*) from pgboss.job where state < 'completed') as count`,
    violations: `
      select format('event %s of %s is not processed', event_id, psp) as violation
      from provider_inbox where processed_at is null and received_at < now() - ${patience}
      union all
      select format('job %s of %s is %s', id, name, state) from pgboss.job
      where (state < 'active' and start_after < now() - ${patience})
         or (state = 'active' and started_on < now() - ${patience})
         or (state = 'failed')`,
  },
];

export async function checkShop(database: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, claim, count, violations } of invariants) {
    const counted = await database.query<{ count: string }>(count);
    const found = await database.query<{ violation: string }>(violations);
    findings.push({
      id,
      claim,
      checked: Number(counted.rows[0]?.count ?? 0),
      violations: found.rows.map(({ violation }) => violation),
    });
  }
  return findings;
}
