import { arrived, captureInstead, type Forgery, ofArrived } from './forgery.ts';

export const waiting: readonly Forgery[] = [
  [
    'an arrived order has a queued delivery',
    `update deliveries set state = 'queued', delivered_at = null where ${arrived}`,
    /^I4 order \S+ is arrived but its delivery is queued/,
  ],
  [
    'an arrived order has no delivery',
    `delete from deliveries where payment_id = {arrived}`,
    /^I4 order \S+ is arrived but its delivery is missing/,
  ],
  [
    'a delivery has more tries than its history',
    `update deliveries set tries = tries + 1 where payment_id = {retried}`,
    /^I4 order \S+ was tried 3 times in round 1, its history says 2 in round 1/,
  ],
  [
    'a stuck order has no case',
    `delete from cases where payment_id = {stuck};
     update deliveries set promise_at = null where payment_id = {stuck}`,
    /^I4 order \S+ is stuck and nobody was told/,
  ],
  [
    'an order was neither delivered in time nor refunded',
    `update deliveries set promise_at = now() - interval '1 hour' where payment_id = {stuck}`,
    /^I4 order \S+ is not delivered in time and was not refunded/,
  ],
  [
    'a paid order is overdue for its next delivery attempt',
    `update orders set state = 'paid', version = 2, arrived_at = null where ${arrived};
     delete from order_events where ${arrived} and seq = 3;
     delete from ledger_transfers where ${ofArrived} and posting = 'sale:3';
     update deliveries set state = 'queued', tries = 0, delivered_at = null,
       next_try_at = now() - interval '1 hour' where ${arrived}`,
    /^I4 order \S+ is paid and nobody tries to deliver it/,
  ],
  [
    'a pending refund is overdue for its next check',
    `update refunds set next_check_at = now() - interval '1 hour' where payment_id = {refunding}`,
    /^I4 order \S+ is being refunded and nobody asks how that goes/,
  ],
  [
    'a refunded order has no revocation',
    `delete from revocations where payment_id = {refunded}`,
    /^I4 order \S+ is refunded and its revocation is missing/,
  ],
  [
    'a revocation is overdue for its next attempt',
    `update revocations set state = 'queued', result = null, next_try_at = now() - interval '1 hour'
     where payment_id = {refunded}`,
    /^I4 order \S+ is to be revoked and nobody asks the game/,
  ],
  [
    'an exhausted revocation has no case',
    `update revocations set state = 'exhausted', result = null where payment_id = {refunded}`,
    /^I4 order \S+ could not be revoked and nobody was told/,
  ],
  [
    'an order was delivered before it was paid',
    `update order_events set seq = seq + 10 where ${arrived} and seq > 1;
     update order_events set seq = 15 - seq, state_before = 'paying',
       state_after = case seq when 13 then 'paying' else 'paid' end
     where ${arrived} and seq > 10`,
    /^I5 order \S+ was delivered unpaid/,
  ],
  [
    'a delivered order has no capture event',
    `delete from order_events where ${arrived} and fact ->> 'type' = 'captured'`,
    /^I5 order \S+ was delivered unpaid/,
  ],
  [
    'an order was delivered for a capture in another currency',
    captureInstead({ currency: 'JPY' }),
    /^I5 order \S+ was delivered unpaid/,
  ],
];

export const gifts: readonly Forgery[] = [
  [
    'an order has another receiver than the game recorded',
    `update orders set role_id = 'x', server_id = 's7', game_account_id = 'ga_thief' where ${arrived}`,
    /^I6 order \S+ was for \S+ \/ s7 \/ x \/ ga_thief, the game gave to \S+/,
  ],
  [
    'an order sold more than the game granted',
    `update orders set pack_count = 2 where ${arrived}`,
    /^I6 order \S+ sold 660 and gave 330/,
  ],
  [
    'two orders have swapped receivers',
    `update orders as one set role_id = one.role_id || other.server_id
     from orders as other where one.payment_id = {arrived} and other.payment_id = {retried}`,
    /^I6 order \S+ was for \S+ \/ \S+ \/ \S+ \/ \S+, the game gave to/,
  ],
  [
    'an order whose goods were granted is marked as unpaid',
    `update orders set state = 'created', paid_at = null, arrived_at = null where ${arrived}`,
    /^I6 order \S+ was given and is created/,
  ],
  [
    'an order is marked as arrived although the game granted nothing',
    `update orders set arrived_at = now() where payment_id = {declined}`,
    /^I6 order \S+ is shown as arrived, the game gave nothing/,
  ],
  [
    'an order whose goods were granted was deleted',
    `delete from orders where ${arrived}`,
    /^I6 order \S+ is no order and was given for/,
  ],
  [
    'a revocation is marked as revoked although the game knows nothing of it',
    `update revocations set result = 'revoked' where payment_id = {declined}`,
    /^I6 order \S+ is revoked here, the game knows nothing of it/,
  ],
  [
    'a revocation is marked as not found although the game revoked the goods',
    `update revocations set result = 'not_found' where payment_id = {refunded}`,
    /^I6 order \S+ was revoked by the game as revoked, not so here/,
  ],
  [
    'a revocation that the game made was deleted',
    `delete from revocations where payment_id = {refunded}`,
    /^I6 order \S+ was revoked by the game as revoked, not so here/,
  ],
];
