import { arrived, type Forgery, secondAttempt } from './forgery.ts';

export const histories: readonly Forgery[] = [
  [
    'an order event has the wrong state before it',
    `update order_events set state_before = 'closed' where ${arrived} and seq = 3`,
    /^I8 order \S+, event 3: from closed to arrived/,
  ],
  [
    'an order event was deleted from the middle of a history',
    `delete from order_events where payment_id = {retried} and seq = 3`,
    /^I8 order \S+, event 4: from paid to arrived/,
  ],
  [
    'a delivered event comes before the failed attempt',
    `update order_events set seq = 9 where payment_id = {retried} and seq = 3;
     update order_events set seq = 3 where payment_id = {retried} and seq = 4;
     update order_events set seq = 4 where payment_id = {retried} and seq = 9`,
    /^I8 order \S+, event 4: from paid to paid/,
  ],
  [
    'an order and its delivery count a try that is not in the history',
    `update orders set version = 5 where payment_id = {retried};
     update deliveries set tries = 3 where payment_id = {retried}`,
    /^I8 order \S+ is arrived at 5, its history ends with arrived at 4/,
  ],
  [
    'an order event has a state that its facts do not lead to',
    `update order_events set state_after = 'stuck' where payment_id = {retried} and seq = 3;
     update order_events set state_before = 'stuck' where payment_id = {retried} and seq = 4`,
    /^I8 order \S+, event 3 ends in stuck, but leads to paid/,
  ],
  [
    'the last events of two histories were swapped',
    `update order_events as one set fact = other.fact, state_before = other.state_before,
       state_after = other.state_after
     from order_events as other
     where one.seq = 3 and other.seq = 3 and one.payment_id in ({arrived}, {declined})
       and other.payment_id in ({arrived}, {declined}) and one.payment_id <> other.payment_id`,
    /^I8 order \S+, event 3 ends in|^I8 order \S+, event 4: from stuck to refunding/,
  ],
  [
    'an order has another version than its history',
    `update orders set version = 4 where ${arrived}`,
    /^I8 order \S+ is arrived at 4, its history ends with arrived at 3/,
  ],
  [
    'a fact does not match its key',
    `update order_events set fact = fact || '{"note": "paid twice"}' where ${arrived} and seq = 3`,
    /^I8 order \S+, event 3 has a key that does not say its fact/,
  ],
  [
    'the check constraint on fact keys was replaced',
    `alter table order_events add constraint key_says_the_fact check (true)`,
    /^I8 order_events does not keep to its rule key_says_the_fact/,
  ],
  [
    'all rows of an order except the order itself were deleted',
    `${['order_events', 'payment_attempts', 'deliveries', 'refunds', 'revocations', 'cases']
      .map((table) => `delete from ${table} where payment_id = {refunded};`)
      .join('')}
     delete from ledger_transfers where origin_id = {refunded}`,
    /^I8 order \S+ is refunded at 6, its history ends with created at 0/,
  ],
  [
    'a fact has lost its fields',
    `update order_events set fact = '{"type": "captured"}' where ${arrived} and seq = 2`,
    /^I8 order \S+, event 2 has a key that does not say its fact/,
  ],
  [
    'a fact has no type',
    `insert into order_events select account_id, payment_id, 4, 'x', '{}', 'arrived', 'arrived'
     from orders where ${arrived}`,
    /^I8 order \S+, event 4 cannot be read/,
  ],
  [
    'a history has no order',
    `insert into order_events select account_id, uuidv7(), seq, fact_key, fact, state_before,
       state_after from order_events where ${arrived}`,
    /^I8 a history of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'a paid order has no time of payment',
    `alter table orders drop constraint paid_states_know_when, drop constraint arrived_after_paid;
     update orders set paid_at = null where ${arrived}`,
    /^I8 order \S+ knows another time of payment or arrival than its history/,
  ],
  [
    'a captured payment attempt is marked as closed',
    `update payment_attempts set state = 'closed' where ${arrived}`,
    /^I8 order \S+: attempt \S+ is closed, its history says: opened, captured/,
  ],
  [
    'an open payment attempt is marked as declined',
    `update payment_attempts set state = 'declined' where payment_id = {paying}`,
    /^I8 order \S+: attempt \S+ is declined, its history says: opened$/,
  ],
  [
    'a closed payment attempt is marked as open',
    `update payment_attempts set state = 'open', next_check_at = now() + interval '1 day'
     where state = 'closed'`,
    /^I8 order \S+: attempt \S+ is open, its history says: opened, closed/,
  ],
  [
    'a payment attempt of a history was deleted',
    `delete from payment_attempts where ${arrived}`,
    /^I8 order \S+: attempt \S+ is missing, its history says: opened, captured/,
  ],
  [
    'a payment attempt has another capture than its history',
    `update payment_attempts set capture_id = 'pi_other' where ${arrived}`,
    /^I8 order \S+: attempt \S+ is captured, its history says: opened, captured/,
  ],
  [
    'a payment attempt is not in the history',
    secondAttempt,
    /^I8 order \S+: attempt \S+ is open, its history says: never opened/,
  ],
  [
    'an order has two open payment attempts at once',
    `drop index one_open_attempt_per_order; ${secondAttempt.repeat(2)}`,
    /^I8 order \S+ has \d attempts under way at once/,
  ],
  [
    'a settled refund is marked as pending',
    `update refunds set state = 'pending' where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is pending over 499 USD, its history says done over 499 USD/,
  ],
  [
    'a refund has another amount than was requested',
    `update refunds set amount_minor = 400 where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is done over 400 USD, its history says done over 499 USD/,
  ],
  [
    'a refund of a history was deleted',
    `delete from refunds where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is missing, its history says done over 499 USD/,
  ],
  [
    'a refund is not in the history',
    `insert into refunds (account_id, payment_id, refund_id, attempt_id, capture_id, currency,
       amount_minor, reason, requested_by)
     select account_id, payment_id, gen_random_uuid(), attempt_id, capture_id, currency, amount_minor,
       'operator', 'forger' from payment_attempts where ${arrived}`,
    /^I8 order \S+: refund \S+ is in no history/,
  ],
  [
    'an order that was never refunded has a revocation',
    `insert into revocations (account_id, payment_id, state, result)
     select account_id, payment_id, 'answered', 'revoked' from orders where ${arrived}`,
    /^I8 order \S+ was never refunded and has a revocation/,
  ],
  [
    'an order has no intent',
    `delete from order_keys where ${arrived}`,
    /^I10 order \S+ has 0 intents/,
  ],
  [
    'an order has two intents',
    `update order_keys set payment_id = {retried} where ${arrived}`,
    /^I10 order \S+ has 2 intents/,
  ],
  [
    'an intent has no order',
    `insert into order_keys select account_id, gen_random_uuid(), gen_random_uuid(), body_hash
     from order_keys where ${arrived}`,
    /^I10 an intent of account \S+ is for \S+, which is no order of theirs/,
  ],
];

export const work: readonly Forgery[] = [
  [
    'an acknowledged event is missing in the inbox',
    `delete from provider_inbox`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an acknowledged event is stored under another id',
    `update provider_inbox set event_id = event_id || 'x'`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an acknowledged event is stored for another provider',
    `update provider_inbox set psp = 'other'`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an event in the inbox was never processed',
    `update provider_inbox set processed_at = null, received_at = now() - interval '1 hour'`,
    /^I11 event evt_\S+ of stripe is not processed/,
  ],
  [
    'a job is overdue',
    `update pgboss.job set state = 'created', start_after = now() - interval '1 hour'`,
    /^I11 job \S+ of \S+ is created/,
  ],
  ['a job has failed', `update pgboss.job set state = 'failed'`, /^I11 job \S+ of \S+ is failed/],
  [
    'an open payment attempt is overdue for its next check',
    `update payment_attempts set next_check_at = now() - interval '1 hour'
     where payment_id = {paying}`,
    /^I11 attempt \S+ of order \S+ is not asked about/,
  ],
];
