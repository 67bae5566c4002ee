import { arrived, type Forgery, secondAttempt } from './forgery.ts';

export const histories: readonly Forgery[] = [
  [
    'the state before a move is forged',
    `update order_events set state_before = 'closed' where ${arrived} and seq = 3`,
    /^I8 order \S+, event 3: from closed to arrived/,
  ],
  [
    'an event is cut out of the middle',
    `delete from order_events where payment_id = {retried} and seq = 3`,
    /^I8 order \S+, event 4: from paid to arrived/,
  ],
  [
    'goods come before the try that failed',
    `update order_events set seq = 9 where payment_id = {retried} and seq = 3;
     update order_events set seq = 3 where payment_id = {retried} and seq = 4;
     update order_events set seq = 4 where payment_id = {retried} and seq = 9`,
    /^I8 order \S+, event 4: from paid to paid/,
  ],
  [
    'an order and its delivery know of a try that its history does not',
    `update orders set version = 5 where payment_id = {retried};
     update deliveries set tries = 3 where payment_id = {retried}`,
    /^I8 order \S+ is arrived at 5, its history ends with arrived at 4/,
  ],
  [
    'a history leads elsewhere than its facts',
    `update order_events set state_after = 'stuck' where payment_id = {retried} and seq = 3;
     update order_events set state_before = 'stuck' where payment_id = {retried} and seq = 4`,
    /^I8 order \S+, event 3 ends in stuck, but leads to paid/,
  ],
  [
    'the ends of two histories change places',
    `update order_events as one set fact = other.fact, state_before = other.state_before,
       state_after = other.state_after
     from order_events as other
     where one.seq = 3 and other.seq = 3 and one.payment_id in ({arrived}, {declined})
       and other.payment_id in ({arrived}, {declined}) and one.payment_id <> other.payment_id`,
    /^I8 order \S+, event 3 ends in|^I8 order \S+, event 4: from stuck to refunding/,
  ],
  [
    'an order is another version than its history',
    `update orders set version = 4 where ${arrived}`,
    /^I8 order \S+ is arrived at 4, its history ends with arrived at 3/,
  ],
  [
    'a fact says something else than its key',
    `update order_events set fact = fact || '{"note": "paid twice"}' where ${arrived} and seq = 3`,
    /^I8 order \S+, event 3 has a key that does not say its fact/,
  ],
  [
    'the keys of facts are not held to what they say any more',
    `alter table order_events add constraint key_says_the_fact check (true)`,
    /^I8 order_events does not keep to its rule key_says_the_fact/,
  ],
  [
    'nothing is left of an order but itself',
    `${['order_events', 'payment_attempts', 'deliveries', 'refunds', 'revocations', 'cases']
      .map((table) => `delete from ${table} where payment_id = {refunded};`)
      .join('')}
     delete from ledger_transfers where origin_id = {refunded}`,
    /^I8 order \S+ is refunded at 6, its history ends with created at 0/,
  ],
  [
    'a fact says nothing',
    `update order_events set fact = '{"type": "captured"}' where ${arrived} and seq = 2`,
    /^I8 order \S+, event 2 has a key that does not say its fact/,
  ],
  [
    'a fact of no kind is added',
    `insert into order_events select account_id, payment_id, 4, 'x', '{}', 'arrived', 'arrived'
     from orders where ${arrived}`,
    /^I8 order \S+, event 4 cannot be read/,
  ],
  [
    'a history is of no order',
    `insert into order_events select account_id, uuidv7(), seq, fact_key, fact, state_before,
       state_after from order_events where ${arrived}`,
    /^I8 a history of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'the time of payment is removed',
    `alter table orders drop constraint paid_states_know_when, drop constraint arrived_after_paid;
     update orders set paid_at = null where ${arrived}`,
    /^I8 order \S+ knows another time of payment or arrival than its history/,
  ],
  [
    'a paid attempt is called closed',
    `update payment_attempts set state = 'closed' where ${arrived}`,
    /^I8 order \S+: attempt \S+ is closed, its history says: opened, captured/,
  ],
  [
    'an attempt is called declined and was not',
    `update payment_attempts set state = 'declined' where payment_id = {paying}`,
    /^I8 order \S+: attempt \S+ is declined, its history says: opened$/,
  ],
  [
    'an attempt that was closed is called open',
    `update payment_attempts set state = 'open', next_check_at = now() + interval '1 day'
     where state = 'closed'`,
    /^I8 order \S+: attempt \S+ is open, its history says: opened, closed/,
  ],
  [
    'an attempt is forgotten',
    `delete from payment_attempts where ${arrived}`,
    /^I8 order \S+: attempt \S+ is missing, its history says: opened, captured/,
  ],
  [
    'an attempt is of another capture',
    `update payment_attempts set capture_id = 'pi_other' where ${arrived}`,
    /^I8 order \S+: attempt \S+ is captured, its history says: opened, captured/,
  ],
  [
    'an attempt is in no history',
    secondAttempt,
    /^I8 order \S+: attempt \S+ is open, its history says: never opened/,
  ],
  [
    'two attempts are under way at once',
    `drop index one_open_attempt_per_order; ${secondAttempt.repeat(2)}`,
    /^I8 order \S+ has \d attempts under way at once/,
  ],
  [
    'a refund is called pending that is done',
    `update refunds set state = 'pending' where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is pending over 499 USD, its history says done over 499 USD/,
  ],
  [
    'a refund is of another amount than was asked for',
    `update refunds set amount_minor = 400 where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is done over 400 USD, its history says done over 499 USD/,
  ],
  [
    'a refund is forgotten',
    `delete from refunds where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is missing, its history says done over 499 USD/,
  ],
  [
    'a refund is in no history',
    `insert into refunds (account_id, payment_id, refund_id, attempt_id, capture_id, currency,
       amount_minor, reason, requested_by)
     select account_id, payment_id, gen_random_uuid(), attempt_id, capture_id, currency, amount_minor,
       'operator', 'forger' from payment_attempts where ${arrived}`,
    /^I8 order \S+: refund \S+ is in no history/,
  ],
  [
    'an order was revoked and never refunded',
    `insert into revocations (account_id, payment_id, state, result)
     select account_id, payment_id, 'answered', 'revoked' from orders where ${arrived}`,
    /^I8 order \S+ was never refunded and has a revocation/,
  ],
  [
    'the intent is removed',
    `delete from order_keys where ${arrived}`,
    /^I10 order \S+ has 0 intents/,
  ],
  [
    'one order takes the intent of another',
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
    'an event that was acknowledged is gone',
    `delete from provider_inbox`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an event is kept under another name',
    `update provider_inbox set event_id = event_id || 'x'`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an event is said to be of another provider',
    `update provider_inbox set psp = 'other'`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an event is left lying',
    `update provider_inbox set processed_at = null, received_at = now() - interval '1 hour'`,
    /^I11 event evt_\S+ of stripe is not processed/,
  ],
  [
    'a job waits and nobody takes it',
    `update pgboss.job set state = 'created', start_after = now() - interval '1 hour'`,
    /^I11 job \S+ of \S+ is created/,
  ],
  ['a job was given up', `update pgboss.job set state = 'failed'`, /^I11 job \S+ of \S+ is failed/],
  [
    'nobody asks about a payment',
    `update payment_attempts set next_check_at = now() - interval '1 hour'
     where payment_id = {paying}`,
    /^I11 attempt \S+ of order \S+ is not asked about/,
  ],
];
