import type { Forgery } from './forgery.ts';

// Forgeries of complete refunds, after a delivery or because the game declined it.

const request = `payment_id = {refunded} and fact ->> 'type' = 'refund_requested'`;

export const refunds: readonly Forgery[] = [
  [
    'a refund request has a smaller amount than the refund',
    `update order_events set fact = fact || '{"amountMinor": "400"}' where ${request}`,
    /^I8 order \S+, event 4 ends in refunding, but leads to arrived/,
  ],
  [
    'a refund of the price was requested for another reason',
    `update order_events set fact = fact || '{"reason": "duplicate"}' where ${request}`,
    /^I8 order \S+, event 4 ends in refunding, but leads to arrived/,
  ],
  [
    'a refund request has another capture than the refund',
    `update order_events set fact = fact || '{"captureId": "pi_other"}' where ${request}`,
    /^I8 order \S+: refund \S+ is done over 499 USD, its history says done over 499 USD/,
  ],
  [
    'a refund belongs to a payment attempt without a capture',
    `update refunds set attempt_id = gen_random_uuid() where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is done over 499 USD, its history says done over 499 USD/,
  ],
  [
    'a second refund was never requested',
    `insert into refunds (account_id, payment_id, refund_id, attempt_id, capture_id, currency,
       amount_minor, state, reason, requested_by)
     select account_id, payment_id, gen_random_uuid(), attempt_id, capture_id, currency,
       amount_minor, state, reason, requested_by
     from refunds where payment_id = {refunded}`,
    /^I8 order \S+: refund \S+ is in no history/,
  ],
  [
    'goods were revoked before the refund was settled',
    `update order_events set seq = 9 where payment_id = {refunded} and seq = 5;
     update order_events set seq = 5 where payment_id = {refunded} and seq = 6;
     update order_events set seq = 6 where payment_id = {refunded} and seq = 9`,
    /^I8 order \S+, event 5: from refunded to refunded/,
  ],
  [
    'the sale transfer of a refunded order was not reversed',
    `delete from ledger_transfers where origin_id = {refunded} and debit_book = 'house:sales'`,
    /^I1 order \S+ made a sale of 499 USD, expected 0/,
  ],
  [
    'a reversed sale has an unknown posting',
    `update ledger_transfers set posting = 'sold:5'
     where origin_id = {refunded} and debit_book = 'house:sales'`,
    /^I1 transfer sold:5 of order \S+ moves 499 USD from house:sales to player:deposit/,
  ],
  [
    'a refunded order that the game declined is recorded as arrived',
    `update order_events set state_before = 'arrived' where payment_id = {declined} and seq = 4;
     update order_events set state_after = 'arrived' where payment_id = {declined} and seq = 3`,
    /^I8 order \S+, event 3 ends in arrived, but leads to stuck/,
  ],
  [
    'a refund event has the wrong state before it',
    `update order_events set state_before = 'arrived' where payment_id = {declined} and seq = 4`,
    /^I8 order \S+, event 4: from arrived to refunding/,
  ],
  [
    'a failed delivery attempt was deleted from a history',
    `delete from order_events where payment_id = {declined} and seq = 3;
     update order_events set seq = 3, state_before = 'paid' where payment_id = {declined} and seq = 4;
     -- By a detour, because PostgreSQL moves them one after the other, and not always the first one first.
     update order_events set seq = seq + 100 where payment_id = {declined} and seq > 4;
     update order_events set seq = seq - 101 where payment_id = {declined} and seq > 100`,
    /^I8 order \S+ is refunded at 6, its history ends with refunded at 5/,
  ],
];
