import {
  arrived,
  captureAgain,
  captured,
  captureInstead,
  type Forgery,
  ofArrived,
} from './forgery.ts';

export const atProvider: readonly Forgery[] = [
  [
    'a credit has a capture that the provider does not know',
    `update ledger_transfers set posting = 'captured:pi_forged' where ${ofArrived} and ${captured}`,
    /^I3 order \S+ has a credit without a charge, pi_forged/,
  ],
  [
    'a credit has another amount than the charge',
    `update ledger_transfers set amount_minor = 999 where ${ofArrived} and ${captured}`,
    /^I3 charge \S+ is 499 usd, its credit 999 USD/,
  ],
  [
    'two orders have swapped captures',
    `update ledger_transfers as one set posting = other.posting from ledger_transfers as other
     where one.posting like 'captured:%' and other.posting like 'captured:%'
       and one.origin_id in ({arrived}, {retried}) and other.origin_id in ({arrived}, {retried})
       and one.origin_id <> other.origin_id`,
    /^I3 charge \S+ was credited to order \S+/,
  ],
  [
    'a capture was credited twice',
    `insert into ledger_transfers select account_id, {retried}, posting, debit_book, credit_book, unit,
       amount_minor from ledger_transfers where ${ofArrived} and ${captured}`,
    /^I3 charge \S+ was credited 2 times/,
  ],
  [
    'a settled refund is unknown to the provider',
    `insert into order_events select account_id, payment_id, version + 1, 'made up', jsonb_build_object(
       'type', 'refund_settled', 'refundId', 're_madeup', 'captureId', 'pi_x', 'currency', 'USD',
       'amountMinor', '1', 'outcome', 'done'), state, state from orders where ${arrived};
     update orders set version = version + 1 where ${arrived}`,
    /^I3 refund re_madeup is done here, the provider knows nothing of it/,
  ],
  [
    'a refund of the provider is not in the books',
    `delete from order_events where payment_id = {elsewhere} and seq > 3;
     update orders set state = 'arrived', version = 3, refunded_minor = 0 where payment_id = {elsewhere};
     delete from ledger_transfers where origin_id = {elsewhere}
       and (posting like 'refund:%' or debit_book = 'house:sales');
     delete from revocations where payment_id = {elsewhere}`,
    /^I3 refund re_\S+ is not in our books/,
  ],
  [
    'a refund has a smaller amount than at the provider',
    `update order_events set fact = jsonb_set(fact, '{amountMinor}', '"498"')
     where payment_id = {elsewhere} and fact ->> 'type' = 'refund_settled'`,
    /^I3 refund re_\S+ is 499 USD of pi_\S+, in our books 498 USD of pi_\S+/,
  ],
  [
    'an open dispute is recorded as won',
    `update order_events set fact = jsonb_set(fact, '{stage}', '"won"')
     where payment_id = {disputed} and fact ->> 'type' = 'disputed'`,
    /^I3 dispute du_\S+ is needs_response over 499, not so here/,
  ],
  [
    'a dispute of the provider is not in the books',
    `delete from order_events where payment_id = {disputed} and seq > 3;
     update orders set version = 3, is_disputed = false where payment_id = {disputed};
     delete from ledger_transfers where origin_id = {disputed} and posting like 'dispute:%'`,
    /^I3 dispute du_\S+ is needs_response over 499, not so here/,
  ],
  [
    'a dispute is unknown to the provider',
    `update order_events set fact = jsonb_set(fact, '{disputeId}', '"du_forged"')
     where payment_id = {disputed} and fact ->> 'type' = 'disputed'`,
    /^I3 dispute du_forged is here, the provider knows nothing of it/,
  ],
];

export const amounts: readonly Forgery[] = [
  [
    'the price of a paid order was changed',
    `update orders set amount_minor = 1 where ${arrived}`,
    /^I7 order \S+ costs 1 USD and captured 499, but is arrived/,
  ],
  [
    'the currency of a paid order was changed',
    `update orders set currency = 'JPY' where ${arrived}`,
    /^I7 order \S+ costs 499 JPY and captured 0: its review is none, expected wrong_currency/,
  ],
  [
    'an order is under review without a reason in its history',
    `update orders set review_reason = 'overpaid' where ${arrived}`,
    /^I7 order \S+ .*: its review is overpaid, expected none/,
  ],
  [
    'an overpaid order is not under review',
    captureAgain('504'),
    /^I7 order \S+ .*: its review is none, expected overpaid/,
  ],
  [
    'an underpaid order is not under review',
    captureInstead({ amountMinor: '498' }),
    /^I7 order \S+ .*: its review is none, expected underpaid/,
  ],
  [
    'a capture of an unknown payment attempt is not under review',
    `update order_events set fact = jsonb_set(fact, '{attemptId}', to_jsonb(gen_random_uuid()))
     where ${arrived} and fact ->> 'type' = 'captured'`,
    /^I7 order \S+ .*: its review is none, expected unknown_attempt/,
  ],
  [
    'an order with a capture is marked as unpaid',
    `update orders set state = 'created' where ${arrived}`,
    /^I7 order \S+ costs 499 USD and captured 499, but is created/,
  ],
  [
    'a payment attempt has another amount than its order',
    `update payment_attempts set amount_minor = amount_minor - 1 where ${arrived}`,
    /^I7 order \S+ costs 499 USD, its attempt \S+ asks for 498 USD/,
  ],
  [
    'a payment attempt has another currency than its order',
    `update payment_attempts set currency = 'JPY' where ${arrived}`,
    /^I7 order \S+ costs 499 USD, its attempt \S+ asks for 499 JPY/,
  ],
  [
    'the refunded amount of an order is smaller than in its history',
    `update orders set refunded_minor = 0 where payment_id = {refunded}`,
    /^I7 order \S+ says that 0 went back, its history 499/,
  ],
  [
    'the refunded amount of an order is larger than in its history',
    `update orders set refunded_minor = 100 where ${arrived}`,
    /^I7 order \S+ says that 100 went back, its history 0/,
  ],
  [
    'a disputed order is not marked as disputed',
    `update orders set is_disputed = false where payment_id = {disputed}`,
    /^I7 order \S+ is not called disputed, against its history/,
  ],
  [
    'an order without a dispute is marked as disputed',
    `update orders set is_disputed = true where ${arrived}`,
    /^I7 order \S+ is called disputed, against its history/,
  ],
  [
    'an order was refunded more than its capture',
    `insert into order_events select account_id, payment_id, version + 1, 'more', fact
       || '{"refundId": "re_more"}', state, state
     from orders join order_events using (account_id, payment_id)
     where payment_id = {elsewhere} and fact ->> 'type' = 'refund_settled';
     update orders set version = version + 1 where payment_id = {elsewhere}`,
    /^I7 order \S+ lost 998 of capture pi_\S+, which was 499/,
  ],
  [
    'a payment that does not match its order has no case',
    `delete from cases where kind = 'misfit_money'`,
    /^I7 order \S+ has no case for misfit_money \S+/,
  ],
  [
    'a failed refund has no case',
    `delete from cases where kind = 'refund_failed'`,
    /^I7 order \S+ has no case for refund_failed \S+/,
  ],
  [
    'a lost dispute about a refunded payment has no case',
    `delete from cases where kind = 'lost_twice'`,
    /^I7 order \S+ has no case for lost_twice \S+/,
  ],
  [
    'a dispute has no case',
    `delete from cases where kind = 'dispute'`,
    /^I7 order \S+ has no case for dispute \S+:open/,
  ],
];
