import { captures, patience, type ShopInvariant } from './invariant.ts';

const legalMoves = `(values
  ('created','paying'), ('created','paid'), ('created','closed'),
  ('paying','created'), ('paying','paid'), ('paying','closed'),
  ('paid','stuck'), ('paid','arrived'), ('paid','refunding'),
  ('stuck','paid'), ('stuck','arrived'), ('stuck','refunding'),
  ('arrived','refunding'), ('closed','paid'), ('refunding','refunded')
) as legal (before, after)`;

// Money counts for an order if it is of an attempt that we opened and in the order's currency.
// Whatever else was captured is a reason for an operator to look.
const moneyOfOrders = `
  with opened as (
    select distinct account_id, payment_id, fact ->> 'attemptId' as attempt_id
    from order_events where fact ->> 'type' = 'attempt_opened'
  ), judged as (
    select account_id, payment_id, captures.amount_minor,
           opened.attempt_id is not null as is_ours,
           captures.currency is not distinct from orders.currency as fits
    from (${captures}) as captures
    join orders using (account_id, payment_id)
    left join opened using (account_id, payment_id, attempt_id)
  ), sums as (
    select account_id, payment_id, bool_or(not is_ours) as has_unknown_attempt,
           bool_or(is_ours and not fits) as has_wrong_currency,
           coalesce(sum(amount_minor) filter (where is_ours and fits), 0) as captured
    from judged group by account_id, payment_id
  ), money as (
    select payment_id, state, currency, amount_minor as due, review_reason,
           coalesce(captured, 0) as captured,
           case when has_unknown_attempt then 'unknown_attempt'
                when has_wrong_currency then 'wrong_currency'
                when captured > 0 and captured < amount_minor then 'underpaid'
                when captured > amount_minor then 'overpaid'
           end as reason
    from orders left join sums using (account_id, payment_id)
  )`;

const wrongReviews = `${moneyOfOrders}
  select format('order %s costs %s %s and captured %s: its review is %s, expected %s', payment_id,
                due, currency, captured, coalesce(review_reason, 'none'), coalesce(reason, 'none'))
         as violation
  from money where review_reason is distinct from reason`;

const statesWithoutTheirMoney = `${moneyOfOrders}
  select format('order %s costs %s %s and captured %s, but is %s', payment_id, due, currency,
                captured, state) as violation
  from money
  where (captured >= due) <> (state in ('paid', 'stuck', 'arrived', 'refunding', 'refunded'))`;

const attemptsAtAnotherPrice = `
  select format('order %s costs %s %s, its attempt %s asks for %s %s', payment_id,
                orders.amount_minor, orders.currency, attempt_id, attempts.amount_minor,
                attempts.currency) as violation
  from payment_attempts as attempts join orders using (account_id, payment_id)
  where attempts.amount_minor <> orders.amount_minor or attempts.currency <> orders.currency`;

const brokenPaths = `
  with steps as (
    select account_id, payment_id, seq, state_before, state_after,
           lag(state_after, 1, 'created') over history as expected_before,
           lag(seq, 1, 0) over history as previous_seq
    from order_events window history as (partition by account_id, payment_id order by seq)
  )
  select format('order %s, event %s: from %s to %s', payment_id, seq, state_before, state_after)
         as violation
  from steps
  where state_before <> expected_before or seq <> previous_seq + 1
     or (state_before <> state_after and not exists (
           select from ${legalMoves} where before = state_before and after = state_after))`;

const wrongEnds = `
  with ends as (
    select distinct on (account_id, payment_id) account_id, payment_id, seq, state_after
    from order_events order by account_id, payment_id, seq desc
  )
  select format('order %s is %s, its history ends with %s', payment_id, state,
                coalesce(state_after, 'nothing')) as violation
  from orders left join ends using (account_id, payment_id)
  where state <> coalesce(state_after, 'created') or version <> coalesce(seq, 0)`;

// A capture is the last word on an attempt: it overrules closed and declined. One for an attempt
// that was never ours has no row here; its order is under review.
const attemptsApartFromFacts = `
  with told as (
    select account_id, payment_id, fact ->> 'attemptId' as attempt_id,
           bool_or(fact ->> 'type' = 'attempt_opened') as opened,
           bool_or(fact ->> 'type' = 'attempt_declined') as declined,
           bool_or(fact ->> 'type' = 'attempt_closed') as closed,
           bool_or(fact ->> 'type' = 'captured') as captured
    from order_events where fact ? 'attemptId'
    group by account_id, payment_id, fact ->> 'attemptId'
  ), kept as (
    select account_id, payment_id, attempt_id::text as attempt_id, state from payment_attempts
  )
  select format('order %s: attempt %s is %s, its history says:%s%s%s%s', payment_id, attempt_id,
                coalesce(state, 'missing'),
                case when opened then ' opened' else ' never opened' end,
                case when declined then ', declined' end, case when closed then ', closed' end,
                case when captured then ', captured' end) as violation
  from kept full join told using (account_id, payment_id, attempt_id)
  where (state is null and opened)
     or (state is not null and opened is not true)
     or (state = 'captured') <> coalesce(captured, false)
     or (state = 'closed' and closed is not true)
     or (state = 'declined' and declined is not true)
     or (state in ('opening', 'open') and (closed or declined))`;

const attemptsAtOnce = `
  select format('order %s has %s attempts under way at once', payment_id, count(*)) as violation
  from payment_attempts where state in ('opening', 'open')
  group by account_id, payment_id having count(*) > 1`;

export const orderInvariants: readonly ShopInvariant[] = [
  {
    id: 'I4',
    claim: 'every paid order arrives once; none waits unseen',
    count: `select count(*) from orders where state in ('paid', 'stuck', 'arrived')`,
    violations: [
      `select format('order %s is %s but its delivery is %s', payment_id, orders.state,
                     coalesce(deliveries.state, 'missing')) as violation
       from orders left join deliveries using (account_id, payment_id)
       where (orders.state = 'arrived' and deliveries.state is distinct from 'delivered')
          or (orders.state = 'stuck' and deliveries.state is distinct from 'declined'
              and deliveries.state is distinct from 'exhausted')
          or (orders.state = 'paid' and deliveries.state is distinct from 'queued')
          or (orders.state = 'paid' and next_try_at < now() - ${patience})`,
    ],
  },
  {
    id: 'I5',
    claim: 'no order was delivered before its money was there',
    count: `select count(*) from order_events where fact ->> 'type' = 'delivered'`,
    violations: [
      `select format('order %s was delivered unpaid', delivered.payment_id) as violation
       from order_events as delivered
       where fact ->> 'type' = 'delivered' and not exists (
         select from order_events as captured
         where captured.account_id = delivered.account_id
           and captured.payment_id = delivered.payment_id
           and captured.fact ->> 'type' = 'captured' and captured.seq < delivered.seq)`,
    ],
  },
  {
    id: 'I7',
    claim: 'what was asked and captured is what the order costs, or an operator was told why not',
    count: `select count(*) from order_events where fact ->> 'type' = 'captured'`,
    violations: [wrongReviews, statesWithoutTheirMoney, attemptsAtAnotherPrice],
  },
  {
    id: 'I8',
    claim:
      'every history is an unbroken path of legal moves that ends where order and attempts are',
    count: 'select count(*) from order_events',
    violations: [brokenPaths, wrongEnds, attemptsApartFromFacts, attemptsAtOnce],
  },
  {
    id: 'I10',
    claim: 'every order has one intent, and every intent one order',
    count: 'select count(*) from order_keys',
    violations: [
      `select format('intent %s and order %s', keys.client_order_id,
                     coalesce(keys.payment_id, orders.payment_id)) as violation
       from order_keys as keys full join orders using (account_id, payment_id)
       where keys.payment_id is null or orders.payment_id is null`,
      `select format('order %s has %s intents', payment_id, count(*)) as violation
       from order_keys group by account_id, payment_id having count(*) > 1`,
    ],
  },
];
