import {
  arrived,
  captureAgain,
  captured,
  captureInstead,
  type Forgery,
  ofArrived,
} from './forgery.ts';

export const abroad: readonly Forgery[] = [
  [
    'a capture is one that the provider does not know',
    `update ledger_transfers set posting = 'captured:pi_forged' where ${ofArrived} and ${captured}`,
    /^I3 order \S+ has a credit without a charge, pi_forged/,
  ],
  [
    'a capture was never made at this price',
    `update ledger_transfers set amount_minor = 999 where ${ofArrived} and ${captured}`,
    /^I3 charge \S+ is 499 usd, its credit 999 USD/,
  ],
  [
    'two orders change their payments',
    `update ledger_transfers as one set posting = other.posting from ledger_transfers as other
     where one.posting like 'captured:%' and other.posting like 'captured:%'
       and one.origin_id in ({arrived}, {retried}) and other.origin_id in ({arrived}, {retried})
       and one.origin_id <> other.origin_id`,
    /^I3 charge \S+ was credited to order \S+/,
  ],
  [
    'a capture is credited twice',
    `insert into ledger_transfers select account_id, {retried}, posting, debit_book, credit_book, unit,
       amount_minor from ledger_transfers where ${ofArrived} and ${captured}`,
    /^I3 charge \S+ was credited 2 times/,
  ],
  [
    'a refund is made up',
    `insert into order_events select account_id, payment_id, version + 1, 'made up', jsonb_build_object(
       'type', 'refund_settled', 'refundId', 're_madeup', 'captureId', 'pi_x', 'currency', 'USD',
       'amountMinor', '1', 'outcome', 'done'), state, state from orders where ${arrived};
     update orders set version = version + 1 where ${arrived}`,
    /^I3 refund re_madeup is done here, the provider knows nothing of it/,
  ],
  [
    'a refund at the provider is kept quiet',
    `delete from order_events where payment_id = {elsewhere} and seq > 3;
     update orders set state = 'arrived', version = 3, refunded_minor = 0 where payment_id = {elsewhere};
     delete from ledger_transfers where origin_id = {elsewhere}
       and (posting like 'refund:%' or debit_book = 'house:sales');
     delete from revocations where payment_id = {elsewhere}`,
    /^I3 refund re_\S+ is not in our books/,
  ],
  [
    'a refund is smaller here than at the provider',
    `update order_events set fact = jsonb_set(fact, '{amountMinor}', '"498"')
     where payment_id = {elsewhere} and fact ->> 'type' = 'refund_settled'`,
    /^I3 refund re_\S+ is 499 USD of pi_\S+, in our books 498 USD of pi_\S+/,
  ],
  [
    'a dispute is called won',
    `update order_events set fact = jsonb_set(fact, '{stage}', '"won"')
     where payment_id = {disputed} and fact ->> 'type' = 'disputed'`,
    /^I3 dispute du_\S+ is needs_response over 499, not so here/,
  ],
  [
    'a dispute is kept quiet',
    `delete from order_events where payment_id = {disputed} and seq > 3;
     update orders set version = 3, is_disputed = false where payment_id = {disputed};
     delete from ledger_transfers where origin_id = {disputed} and posting like 'dispute:%'`,
    /^I3 dispute du_\S+ is needs_response over 499, not so here/,
  ],
  [
    'a dispute is made up',
    `update order_events set fact = jsonb_set(fact, '{disputeId}', '"du_forged"')
     where payment_id = {disputed} and fact ->> 'type' = 'disputed'`,
    /^I3 dispute du_forged is here, the provider knows nothing of it/,
  ],
];

export const amounts: readonly Forgery[] = [
  [
    'the price is changed afterwards',
    `update orders set amount_minor = 1 where ${arrived}`,
    /^I7 order \S+ costs 1 USD and captured 499, but is arrived/,
  ],
  [
    'the order is called one in yen',
    `update orders set currency = 'JPY' where ${arrived}`,
    /^I7 order \S+ costs 499 JPY and captured 0: its review is none, expected wrong_currency/,
  ],
  [
    'an order is under review for no reason',
    `update orders set review_reason = 'overpaid' where ${arrived}`,
    /^I7 order \S+ .*: its review is overpaid, expected none/,
  ],
  [
    'nobody is told that too much was paid',
    captureAgain('504'),
    /^I7 order \S+ .*: its review is none, expected overpaid/,
  ],
  [
    'nobody is told that too little was paid',
    captureInstead({ amountMinor: '498' }),
    /^I7 order \S+ .*: its review is none, expected underpaid/,
  ],
  [
    'money is of an attempt that nobody made',
    `update order_events set fact = jsonb_set(fact, '{attemptId}', to_jsonb(gen_random_uuid()))
     where ${arrived} and fact ->> 'type' = 'captured'`,
    /^I7 order \S+ .*: its review is none, expected unknown_attempt/,
  ],
  [
    'an order is called unpaid although the money is there',
    `update orders set state = 'created' where ${arrived}`,
    /^I7 order \S+ costs 499 USD and captured 499, but is created/,
  ],
  [
    'the provider was asked for another price',
    `update payment_attempts set amount_minor = amount_minor - 1 where ${arrived}`,
    /^I7 order \S+ costs 499 USD, its attempt \S+ asks for 498 USD/,
  ],
  [
    'the provider was asked for another currency',
    `update payment_attempts set currency = 'JPY' where ${arrived}`,
    /^I7 order \S+ costs 499 USD, its attempt \S+ asks for 499 JPY/,
  ],
  [
    'less went back than the history says',
    `update orders set refunded_minor = 0 where payment_id = {refunded}`,
    /^I7 order \S+ says that 0 went back, its history 499/,
  ],
  [
    'more went back than the history says',
    `update orders set refunded_minor = 100 where ${arrived}`,
    /^I7 order \S+ says that 100 went back, its history 0/,
  ],
  [
    'a dispute is hidden',
    `update orders set is_disputed = false where payment_id = {disputed}`,
    /^I7 order \S+ is not called disputed, against its history/,
  ],
  [
    'a dispute is invented',
    `update orders set is_disputed = true where ${arrived}`,
    /^I7 order \S+ is called disputed, against its history/,
  ],
  [
    'more goes back than was captured',
    `insert into order_events select account_id, payment_id, version + 1, 'more', fact
       || '{"refundId": "re_more"}', state, state
     from orders join order_events using (account_id, payment_id)
     where payment_id = {elsewhere} and fact ->> 'type' = 'refund_settled';
     update orders set version = version + 1 where payment_id = {elsewhere}`,
    /^I7 order \S+ lost 998 of capture pi_\S+, which was 499/,
  ],
  [
    'nobody was told of money that does not fit',
    `delete from cases where kind = 'misfit_money'`,
    /^I7 order \S+ has no case for misfit_money \S+/,
  ],
  [
    'nobody was told of a refund that failed',
    `delete from cases where kind = 'refund_failed'`,
    /^I7 order \S+ has no case for refund_failed \S+/,
  ],
  [
    'nobody was told that a bank took what had gone back already',
    `delete from cases where kind = 'lost_twice'`,
    /^I7 order \S+ has no case for lost_twice \S+/,
  ],
  [
    'nobody was told of a dispute',
    `delete from cases where kind = 'dispute'`,
    /^I7 order \S+ has no case for dispute \S+:open/,
  ],
];
