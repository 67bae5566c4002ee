// Ways to forge the books of a shop in which everything has happened once, in plain SQL. A name in
// braces is the payment id of an order of that story.

/** What was done, how, and what the books say to it. */
export type Forgery = readonly [what: string, statement: string, told: RegExp];

const arrived = `payment_id = {arrived}`;
const ofArrived = `origin_id = {arrived}`;
const captured = `posting like 'captured:%'`;

const secondAttempt = `
  insert into payment_attempts select account_id, payment_id, gen_random_uuid(), psp, 'open', currency,
    amount_minor, psp_ref, redirect_url, locale, created_at, expires_at, checks,
    now() + interval '1 day'
  from payment_attempts where ${arrived};`;

/** The provider says of the order's capture that it was another amount. */
export const captureAgain = (amountMinor: string) => `
  insert into order_events
  select orders.account_id, orders.payment_id, version + 1, 'captured:again',
         jsonb_set(fact, '{amountMinor}', to_jsonb((${amountMinor})::text)), state, state
  from orders join order_events using (account_id, payment_id)
  where ${arrived} and fact ->> 'type' = 'captured';
  update orders set version = version + 1 where ${arrived};`;

/** The order's one capture was this, in the history and in the ledger. */
const captureInstead = ({ amountMinor = '499', currency = 'USD' }) => `
  update order_events set fact = fact
    || jsonb_build_object('amountMinor', '${amountMinor}', 'currency', '${currency}')
    where ${arrived} and fact ->> 'type' = 'captured';
  update ledger_transfers set unit = '${currency}', amount_minor = ${amountMinor}
    where ${ofArrived} and ${captured};`;

const transfers: readonly Forgery[] = [
  [
    'money comes from nowhere',
    `insert into ledger_transfers
     select account_id, payment_id, 'manual', 'house:psp', 'house:sales', 'USD', 100000
     from orders where ${arrived}`,
    /^I1 transfer manual of order \S+ moves 100000 USD from house:psp to house:sales, which nothing/,
  ],
  [
    'a capture is booked as a sale',
    `update ledger_transfers set credit_book = 'house:sales' where ${ofArrived} and ${captured}`,
    /^I1 transfer captured:\S+ of order \S+ moves 499 USD from house:psp to house:sales, which/,
  ],
  [
    'a sale is taken from the provider',
    `update ledger_transfers set debit_book = 'house:psp' where ${ofArrived} and posting = 'sale:3'`,
    /^I1 transfer sale:3 of order \S+ moves 499 USD from house:psp to house:sales, which nothing/,
  ],
  [
    'a transfer is of no order',
    `insert into ledger_transfers select account_id, gen_random_uuid(), posting, debit_book,
       credit_book, unit, amount_minor from ledger_transfers where ${ofArrived} and posting = 'sale:3'`,
    /^I1 transfer sale:3 of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    "a transfer is of somebody else's order",
    `update ledger_transfers set account_id = gen_random_uuid() where ${ofArrived} and posting = 'sale:3'`,
    /^I1 transfer sale:3 of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'the sale is larger than the price',
    `update ledger_transfers set amount_minor = 500 where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 500 USD, expected 499/,
  ],
  [
    'the sale is missing',
    `delete from ledger_transfers where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 0 USD, expected 499/,
  ],
  [
    'the sale is posted twice',
    `insert into ledger_transfers select account_id, origin_id, 'sale:4', debit_book, credit_book,
       unit, amount_minor from ledger_transfers where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 998 USD, expected 499/,
  ],
  [
    'the sale is in another currency',
    `update ledger_transfers set unit = 'JPY' where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 499 JPY, expected 0/,
  ],
  [
    'two sales change places, a cent up and a cent down',
    `update ledger_transfers set amount_minor = amount_minor + 1 where ${ofArrived} and posting = 'sale:3';
     update ledger_transfers set amount_minor = amount_minor - 1
       where origin_id = {retried} and posting = 'sale:4'`,
    /^I1 order \S+ made a sale of 498 USD, expected 499/,
  ],
  [
    'a refund is paid out twice',
    `insert into ledger_transfers select account_id, origin_id, posting || '2', debit_book, credit_book,
       unit, amount_minor from ledger_transfers where origin_id = {refunded} and posting like 'refund:%'`,
    /^I1 order \S+ booked 499 USD as refund:\S+2, expected 0/,
  ],
  [
    'a refund is cut in two that add up to it',
    `insert into ledger_transfers select account_id, origin_id, posting || 'b', debit_book, credit_book,
       unit, 200 from ledger_transfers where origin_id = {refunded} and posting like 'refund:%';
     update ledger_transfers set amount_minor = 299
       where origin_id = {refunded} and posting like 'refund:%' and posting not like '%b'`,
    /^I1 order \S+ booked 299 USD as refund:\S+, expected 499/,
  ],
  [
    'a refund is forgotten in the ledger',
    `delete from ledger_transfers where origin_id = {refunded} and posting like 'refund:%'`,
    /^I1 order \S+ booked 0 USD as refund:\S+, expected 499/,
  ],
  [
    'a lost dispute is booked as a sale',
    `update ledger_transfers set credit_book = 'house:sales'
     where origin_id = {lost} and posting like '%:lost'`,
    /^I1 transfer dispute:\S+:lost of order \S+ moves 499 USD from player:deposit to house:sales/,
  ],
  [
    'a refund is taken from the order to another account',
    `update ledger_transfers set account_id = gen_random_uuid()
     where origin_id = {refunded} and posting like 'refund:%'`,
    /^I1 transfer refund:\S+ of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'money that a bank holds is not put aside',
    `delete from ledger_transfers where origin_id = {disputed} and posting like '%:held'`,
    /^I1 order \S+ booked 0 USD as dispute:\S+:held, expected 499/,
  ],
  [
    'money that a bank gave back stays put aside',
    `delete from ledger_transfers
     where origin_id = {won} and posting like '%:held' and debit_book = 'house:psp'`,
    /^I1 order \S+ booked 499 USD as dispute:\S+:held, expected 0/,
  ],
];

const topUp = `(select payment_id from orders where kind = 'points' and state = 'arrived'
  and version = 3 order by payment_id limit 1)`;
const spend = `(select payment_id from orders join point_entries on origin_id = payment_id
  where state = 'arrived' and basic_change < -1 order by payment_id limit 1)`;

const movements: readonly Forgery[] = [
  [
    'the ledger moves a point more than the statement',
    `update ledger_transfers set amount_minor = amount_minor + 1
     where origin_id = ${topUp} and posting = 'top_up:basic'`,
    /^I1 transfer top_up:basic of \S+ moves \d+ EPOINT between player:basic and house:points, its entry/,
  ],
  [
    'points leave the wallet and never reach the deposit',
    `update ledger_transfers set credit_book = 'house:points'
     where origin_id = ${spend} and posting like 'spend:%'`,
    /^I1 transfer spend:\S+ of \S+ moves -\d+ EPOINT between player:\S+ and house:points, its entry/,
  ],
  [
    'bought and given points of a top-up change places',
    `update ledger_transfers set credit_book = case credit_book when 'player:basic'
       then 'player:present' else 'player:basic' end
     where origin_id = ${topUp} and posting like 'top_up:%'`,
    /^I1 transfer top_up:basic of \S+ moves \d+ EPOINT between player:present and house:points/,
  ],
  [
    'a movement is in the statement only',
    `delete from ledger_transfers where origin_id = ${spend} and posting like 'spend:%'`,
    /^I1 transfer spend:\S+ of \S+ moves 0 EPOINT between player:\S+ and player:deposit, its entry -/,
  ],
  [
    'a movement is in the ledger only',
    `insert into ledger_transfers select account_id, origin_id, 'bonus:basic', debit_book, credit_book,
       unit, 1000 from ledger_transfers where origin_id = ${topUp} and posting = 'top_up:basic'`,
    /^I1 transfer bonus:basic of \S+ moves 1000 EPOINT between player:basic and house:points, its entry 0/,
  ],
  [
    'a top-up grants more than was sold',
    `update top_up_steps set basic_granted = basic_granted + 1, basic_kept = basic_kept + 1
     where origin_id = ${topUp}`,
    /^I1 order \S+ granted \d+ and \d+ points, sold \d+ and \d+/,
  ],
  [
    'a top-up keeps points whose money went back',
    `update top_up_steps set basic_kept = basic_granted where step > 1`,
    /^I1 order \S+ keeps \d+ and \d+ points, expected \d+ and \d+/,
  ],
  [
    'an order is paid with fewer points than it costs',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
     where origin_id = ${spend} and kind = 'spend'`,
    /^I1 order \S+ moved -\d+ points as spend spend, expected -\d+/,
  ],
  [
    'a top-up is granted twice',
    `insert into point_entries select account_id, seq + 1000, origin_id, 'top_up:again', kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${topUp} and kind = 'top_up'`,
    /^I1 order \S+ granted its points 2 times/,
  ],
  [
    'points come of an order that there is not',
    `update point_entries set origin_id = gen_random_uuid() where origin_id = ${topUp}`,
    /^I1 a movement of points of account \S+ is for \S+, which is no order of theirs/,
  ],
];

const balances: readonly Forgery[] = [
  [
    'a credit is made larger',
    `update ledger_transfers set amount_minor = 999 where ${ofArrived} and ${captured}`,
    /^I2 order \S+ holds 500 USD, expected 0/,
  ],
  [
    'a credit is removed',
    `delete from ledger_transfers where ${ofArrived} and ${captured}`,
    /^I2 order \S+ holds -499 USD, expected 0/,
  ],
  [
    'the rest of an overpaid order is taken',
    captureAgain('504'),
    /^I2 order \S+ holds 0 USD, expected 5/,
  ],
  [
    'more was sold than was captured',
    captureInstead({ amountMinor: '498' }),
    /^I2 order \S+ holds -499|^I2 order \S+ holds -1 USD, expected/,
  ],
  [
    'a wallet is given points',
    `update wallets set basic = basic + 100`,
    /^I2 wallet \S+ has \d+ and \d+, its entries say \d+ and \d+, its lots \d+ and \d+/,
  ],
  [
    'two wallets change places',
    `update wallets set basic = other.basic, present = other.present
     from wallets as other where other.account_id <> wallets.account_id`,
    /^I2 wallet \S+ has -?\d+ and \d+, its entries say/,
  ],
  [
    'a debt is forgiven',
    `update wallets set basic = 0 where basic < 0`,
    /^I2 wallet \S+ has 0 and \d+, its entries say -\d+/,
  ],
  [
    'spent points lie in a lot again',
    `update point_lots set remaining = remaining + 1, spent = spent - 1 where spent > 0`,
    /^I2 lot \S+ holds \d+ of \d+ points, its draws say \d+/,
  ],
  [
    'points of one lot are moved to another',
    `update point_lots set remaining = remaining - 1, spent = spent + 1
       where lot_id = (select lot_id from point_lots where remaining > 0 order by lot_id limit 1);
     update point_lots set remaining = remaining + 1, granted = granted + 1
       where lot_id = (select lot_id from point_lots where remaining > 0 order by lot_id desc limit 1)`,
    /^I2 lot \S+ holds \d+ of \d+ points, its draws say \d+/,
  ],
  [
    'a lot is more than it was granted',
    `alter table point_lots drop constraint every_point_is_in_one_place;
     update point_lots set granted = granted - 1`,
    /^I2 lot \S+ holds \d+ of \d+ points, its draws say \d+/,
  ],
  [
    'an entry goes on from another balance',
    `update point_entries set basic_after = basic_after + 5 where seq = 2`,
    /^I2 entry [23] of wallet \S+, a \S+ of \S+ and \S+: from/,
  ],
  [
    'a spend makes a debt',
    `alter table point_entries drop constraint only_a_claw_back_makes_debt,
       drop constraint nothing_is_spent_in_debt;
     update point_entries set basic_change = -9000, basic_after = basic_after - basic_change - 9000
     where origin_id = ${spend}`,
    /^I2 entry \d+ of wallet \S+, a spend of -9000/,
  ],
];

const abroad: readonly Forgery[] = [
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
    /^I3 order \S+ has a credit without a charge, pi_\S+/,
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

const waiting: readonly Forgery[] = [
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

const gifts: readonly Forgery[] = [
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

const amounts: readonly Forgery[] = [
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
    'nobody was told of a dispute',
    `delete from cases where kind = 'dispute'`,
    /^I7 order \S+ has no case for dispute \S+:open/,
  ],
];

const histories: readonly Forgery[] = [
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
    'a fact says nothing',
    `update order_events set fact = '{"type": "captured"}' where ${arrived} and seq = 2`,
    /^I8 order \S+, event 2 cannot be read/,
  ],
  [
    'a fact of no kind is added',
    `insert into order_events select account_id, payment_id, 4, 'x', '{}', 'arrived', 'arrived'
     from orders where ${arrived}`,
    /^I8 order \S+, event 4 cannot be read/,
  ],
  [
    'a history is of no order',
    `insert into order_events select account_id, gen_random_uuid(), seq, fact_key, fact, state_before,
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

const work: readonly Forgery[] = [
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

const hashAgain = `
  update point_entries set hash = sha256(convert_to(encode(prev_hash, 'hex') || e'\\n' || concat_ws('|',
    seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), kind, origin_id, posting,
    basic_change, present_change, basic_after, present_after, draws), 'UTF8'))`;

const statements: readonly Forgery[] = [
  [
    'a line of a statement is changed',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
     where seq = 1`,
    /^I12 entry 1 of wallet \S+ is not what was hashed/,
  ],
  [
    'a line is changed and hashed again',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
       where seq = 1;
     ${hashAgain} where seq = 1`,
    /^I12 entry 2 of wallet \S+ is not what was hashed/,
  ],
  [
    'the last line is changed and hashed again',
    `update point_entries set at = at - interval '1 day'
       where (account_id, seq) in (select account_id, seq from wallets);
     ${hashAgain} where (account_id, seq) in (select account_id, seq from wallets)`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'the last line is cut off',
    `delete from point_entries where (account_id, seq) in (select account_id, seq from wallets)`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'a line is cut out of the middle',
    `delete from point_entries where seq = 2`,
    /^I12 entry 3 of wallet \S+ is not what was hashed/,
  ],
  [
    "a statement is somebody else's",
    `update point_entries set prev_hash = sha256('somebody else') where seq = 1; ${hashAgain} where seq = 1`,
    /^I12 entry 1 of wallet \S+ is not what was hashed/,
  ],
  [
    'a draw is not the one that was hashed',
    `update point_draws set points = points - 1 where points < 0`,
    /^I12 entry \d+ of wallet \S+ is not what was hashed/,
  ],
];

const presentAndBasic = `(select account_id, seq from point_draws
  join point_entries using (account_id, seq) where kind = 'spend'
  group by account_id, seq having count(*) > 1 order by account_id, seq limit 1)`;

const turns: readonly Forgery[] = [
  [
    'lots are drawn on in another turn',
    `update point_draws set position = 100 - position where (account_id, seq) in ${presentAndBasic};
     update point_draws as one set position = (
       select count(*) from point_draws as other where other.account_id = one.account_id
         and other.seq = one.seq and other.position <= one.position)
     where position > 90`,
    /^I13 order \S+ drew \d+ points from lot \S+: not in its turn/,
  ],
  [
    'points are drawn past their time',
    `update point_lots set expires_at = created_at where bucket = 'present' and spent > 0`,
    /^I13 order \S+ drew \d+ points from lot \S+: past its time/,
  ],
  [
    'frozen points are spent',
    `update order_events set at = at - interval '1 hour'
       where payment_id in (select payment_id from orders where kind = 'points')
         and fact ->> 'stage' = 'open';
     update order_events set at = at + interval '1 hour'
       where payment_id in (select payment_id from orders where kind = 'points')
         and fact ->> 'stage' = 'won';
     update point_draws as draws set lot_id = lots.lot_id
     from point_entries as entries, point_lots as lots
     where entries.account_id = draws.account_id and entries.seq = draws.seq and kind = 'spend'
       and lots.account_id = draws.account_id and bucket = 'basic' and lots.origin_id in (
         select payment_id from order_events where fact ->> 'stage' = 'won')`,
    /^I13 order \S+ drew \d+ points from lot \S+: frozen/,
  ],
  [
    'given points are kept and bought ones spent',
    `update point_draws as draws set lot_id = lots.lot_id
     from point_entries as entries, point_lots as lots, point_lots as drawn
     where entries.account_id = draws.account_id and entries.seq = draws.seq and kind = 'spend'
       and drawn.account_id = draws.account_id and drawn.lot_id = draws.lot_id
       and drawn.bucket = 'basic' and lots.account_id = draws.account_id and lots.bucket = 'basic'
       and lots.created_at > drawn.created_at and lots.created_at < entries.at`,
    /^I13 order \S+ drew on lot \S+ before lot \S+, which had \d+ points/,
  ],
  [
    'given points are given back as bought ones',
    `update point_entries set basic_change = basic_change + present_change, present_change = 0
     where kind = 'refund'`,
    /^I13 order \S+ gave back \d+ and 0 points, expected \d+ and \d+/,
  ],
  [
    'more is given back than was spent',
    `update point_entries set basic_change = basic_change + 1 where kind = 'refund'`,
    /^I13 order \S+ gave back \d+ and \d+ points, expected \d+ and \d+/,
  ],
  [
    'points go back to a lot that they did not come from',
    `update point_draws as draws set lot_id = (
       select lot_id from point_lots as lots
       where lots.account_id = draws.account_id order by created_at desc limit 1)
     from point_entries as entries
     where entries.account_id = draws.account_id and entries.seq = draws.seq
       and kind = 'refund' and position = 1`,
    /^I13 order \S+ gave back \d+ points to lot \S+, which gave it 0/,
  ],
  [
    'points expire before their time',
    `update point_lots set expires_at = expires_at + interval '1 day' where expired > 0`,
    /^I13 lot \S+ expired before its time/,
  ],
  [
    'points of a disputed payment can be spent',
    `update point_lots set is_frozen = false`,
    /^I13 lot \S+ is not frozen, its payment is disputed/,
  ],
  [
    'points are frozen for no reason',
    `update point_lots set is_frozen = true`,
    /^I13 lot \S+ is frozen, its payment is not disputed/,
  ],
];

/** What happened was three days ago, and that day and the next one are over. */
const longAgo = `update ledger_transfers set created_at = created_at - interval '3 days';`;

const settlements: readonly Forgery[] = [
  [
    'the provider booked another amount',
    `update settlement_lines set amount_minor = amount_minor + 1 where kind = 'capture'`,
    /^I14 order \S+: the provider's books say 500 USD of capture, ours 499/,
  ],
  [
    'the provider sent more back than we know of',
    `update settlement_lines set amount_minor = amount_minor - 1 where kind = 'refund'`,
    /^I14 order \S+: the provider's books say -500 USD of refund, ours -499/,
  ],
  [
    'two lines change places, a cent up and a cent down',
    `update settlement_lines set amount_minor = amount_minor + case line_id
       when (select min(line_id) from settlement_lines where kind = 'capture') then 1
       when (select max(line_id) from settlement_lines where kind = 'capture') then -1 else 0 end`,
    /^I14 order \S+: the provider's books say \d+ USD of capture, ours \d+/,
  ],
  [
    'the provider took a payment that is not ours',
    `insert into settlement_lines select psp, 'txn_forged', day, kind, 'pi_forged', 'pi_forged', currency,
       amount_minor, at from settlement_lines where kind = 'capture' limit 1`,
    /^I14 the provider's books have \d+ USD of pi_forged, which is not ours/,
  ],
  [
    'the provider never booked what we did',
    `${longAgo} delete from settlement_lines where kind = 'capture'`,
    /^I14 order \S+: the provider's books say 0 USD of capture, ours 499/,
  ],
];

export const forgeries: readonly Forgery[] = [
  ...[...transfers, ...movements, ...balances, ...abroad, ...waiting, ...gifts, ...amounts],
  ...[...histories, ...work, ...statements, ...turns, ...settlements],
];
