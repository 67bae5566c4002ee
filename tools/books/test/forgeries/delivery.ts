import { arrived, captureInstead, type Forgery, ofArrived } from './forgery.ts';

export const waiting: readonly Forgery[] = [
  [
    'the delivery is undone on paper',
    `update deliveries set state = 'queued', delivered_at = null where ${arrived}`,
    /^I4 order \S+ is arrived but its delivery is queued/,
  ],
  [
    'a delivery is forgotten',
    `delete from deliveries where payment_id = {arrived}`,
    /^I4 order \S+ is arrived but its delivery is missing/,
  ],
  [
    'a delivery was tried more often than anybody knows',
    `update deliveries set tries = tries + 1 where payment_id = {retried}`,
    /^I4 order \S+ was tried 3 times in round 1, its history says 2 in round 1/,
  ],
  [
    'nobody was told of an order that is stuck',
    `delete from cases where payment_id = {stuck};
     update deliveries set promise_at = null where payment_id = {stuck}`,
    /^I4 order \S+ is stuck and nobody was told/,
  ],
  [
    'an order is not delivered in time and keeps its money',
    `update deliveries set promise_at = now() - interval '1 hour' where payment_id = {stuck}`,
    /^I4 order \S+ is not delivered in time and was not refunded/,
  ],
  [
    'a paid order waits and nobody tries',
    `update orders set state = 'paid', version = 2, arrived_at = null where ${arrived};
     delete from order_events where ${arrived} and seq = 3;
     delete from ledger_transfers where ${ofArrived} and posting = 'sale:3';
     update deliveries set state = 'queued', tries = 0, delivered_at = null,
       next_try_at = now() - interval '1 hour' where ${arrived}`,
    /^I4 order \S+ is paid and nobody tries to deliver it/,
  ],
  [
    'nobody asks how a refund goes',
    `update refunds set next_check_at = now() - interval '1 hour' where payment_id = {refunding}`,
    /^I4 order \S+ is being refunded and nobody asks how that goes/,
  ],
  [
    'what was refunded is not taken back',
    `delete from revocations where payment_id = {refunded}`,
    /^I4 order \S+ is refunded and its revocation is missing/,
  ],
  [
    'a game is not asked to take back',
    `update revocations set state = 'queued', result = null, next_try_at = now() - interval '1 hour'
     where payment_id = {refunded}`,
    /^I4 order \S+ is to be revoked and nobody asks the game/,
  ],
  [
    'a game does not take back and nobody is told',
    `update revocations set state = 'exhausted', result = null where payment_id = {refunded}`,
    /^I4 order \S+ could not be revoked and nobody was told/,
  ],
  [
    'an order is delivered before it is paid',
    `update order_events set seq = seq + 10 where ${arrived} and seq > 1;
     update order_events set seq = 15 - seq, state_before = 'paying',
       state_after = case seq when 13 then 'paying' else 'paid' end
     where ${arrived} and seq > 10`,
    /^I5 order \S+ was delivered unpaid/,
  ],
  [
    'the proof of money is removed',
    `delete from order_events where ${arrived} and fact ->> 'type' = 'captured'`,
    /^I5 order \S+ was delivered unpaid/,
  ],
  [
    'an order is delivered for money of another kind',
    captureInstead({ currency: 'JPY' }),
    /^I5 order \S+ was delivered unpaid/,
  ],
];

export const gifts: readonly Forgery[] = [
  [
    'the goods went to somebody else',
    `update orders set role_id = 'x', server_id = 's7', game_account_id = 'ga_thief' where ${arrived}`,
    /^I6 order \S+ was for \S+ \/ s7 \/ x \/ ga_thief, the game gave to \S+/,
  ],
  [
    'the order sold more than was given',
    `update orders set pack_count = 2 where ${arrived}`,
    /^I6 order \S+ sold 660 and gave 330/,
  ],
  [
    'two orders change their receivers',
    `update orders as one set role_id = one.role_id || other.server_id
     from orders as other where one.payment_id = {arrived} and other.payment_id = {retried}`,
    /^I6 order \S+ was for \S+ \/ \S+ \/ \S+ \/ \S+, the game gave to/,
  ],
  [
    'the order is called unpaid again',
    `update orders set state = 'created', paid_at = null, arrived_at = null where ${arrived}`,
    /^I6 order \S+ was given and is created/,
  ],
  [
    'an order is called arrived and nothing was given',
    `update orders set arrived_at = now() where payment_id = {declined}`,
    /^I6 order \S+ is shown as arrived, the game gave nothing/,
  ],
  [
    'an order is removed from the books',
    `delete from orders where ${arrived}`,
    /^I6 order \S+ is no order and was given for/,
  ],
  [
    'what was not taken back is called taken back',
    `update revocations set result = 'revoked' where payment_id = {declined}`,
    /^I6 order \S+ is revoked here, the game knows nothing of it/,
  ],
  [
    'what was taken back is called never given',
    `update revocations set result = 'not_found' where payment_id = {refunded}`,
    /^I6 order \S+ was revoked by the game as revoked, not so here/,
  ],
  [
    'a revocation is kept quiet',
    `delete from revocations where payment_id = {refunded}`,
    /^I6 order \S+ was revoked by the game as revoked, not so here/,
  ],
];
