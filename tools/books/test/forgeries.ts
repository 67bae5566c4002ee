// Ways to forge the books of a shop that has sold one pack, in plain SQL.

const secondAttempt = `
  insert into payment_attempts select account_id, payment_id, gen_random_uuid(), psp, 'open', currency,
    amount_minor, psp_ref, redirect_url, locale, created_at, expires_at, checks, next_check_at
  from payment_attempts;`;

/** Out of reach of the worker, which asks the provider about what is open. */
const nobodyAsks = `update payment_attempts set next_check_at = now() + interval '1 day';`;

/** The provider says of the order's capture that it was another amount. */
export const captureAgain = (amountMinor: string) => `
  insert into order_events
  select orders.account_id, orders.payment_id, version + 1, 'captured:again',
         jsonb_set(fact, '{amountMinor}', to_jsonb((${amountMinor})::text)), state, state
  from orders join order_events using (account_id, payment_id) where fact ->> 'type' = 'captured';
  update orders set version = version + 1;`;

/** The order's one capture was this, in the history and in the ledger. */
const captureInstead = ({ amountMinor = 'amount_minor', currency = 'USD' }) => `
  update order_events set fact = fact
    || jsonb_build_object('amountMinor', (select (${amountMinor})::text from orders), 'currency', '${currency}')
    where fact ->> 'type' = 'captured';
  update ledger_transfers set unit = '${currency}', amount_minor = (select ${amountMinor} from orders)
    where posting like 'captured:%';`;

/**
 * What was done, how, and what the books say to it. One rule of an invariant each, so that none can
 * go missing behind another.
 */
export const forgeries: readonly (readonly [what: string, statement: string, told: RegExp])[] = [
  [
    'money comes from nowhere',
    `insert into ledger_transfers
     select account_id, payment_id, 'manual', 'house:psp', 'house:sales', 'USD', 100000 from orders`,
    /^I1 transfer manual of order \S+ moves 100000 USD from house:psp to house:sales, which nothing/,
  ],
  [
    'a capture is booked as a sale',
    `update ledger_transfers set credit_book = 'house:sales' where posting like 'captured:%'`,
    /^I1 transfer captured:\S+ of order \S+ moves \d+ USD from house:psp to house:sales, which/,
  ],
  [
    'a sale is taken from the provider',
    `update ledger_transfers set debit_book = 'house:psp' where posting = 'sale:3'`,
    /^I1 transfer sale:3 of order \S+ moves \d+ USD from house:psp to house:sales, which nothing/,
  ],
  [
    'a transfer is of no order',
    `insert into ledger_transfers select account_id, gen_random_uuid(), posting, debit_book,
       credit_book, unit, amount_minor from ledger_transfers where posting = 'sale:3'`,
    /^I1 transfer sale:3 of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    "a transfer is of somebody else's order",
    `update ledger_transfers set account_id = gen_random_uuid() where posting = 'sale:3'`,
    /^I1 transfer sale:3 of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'the sale is larger than the price',
    `update ledger_transfers set amount_minor = amount_minor + 1 where posting = 'sale:3'`,
    /^I1 order \S+ made a sale of \d+ USD, expected \d+/,
  ],
  [
    'the sale is missing',
    `delete from ledger_transfers where posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 0 USD, expected [1-9]/,
  ],
  [
    'the sale is in another currency',
    `update ledger_transfers set unit = 'JPY' where posting = 'sale:3'`,
    /^I1 order \S+ made a sale of [1-9]\d* JPY, expected 0/,
  ],
  [
    'something is sold that has not arrived',
    `update orders set state = 'paid'`,
    /^I8 order \S+ is paid at 3, its history ends with arrived/,
  ],
  [
    'the order is called one in yen',
    `update orders set currency = 'JPY'`,
    /^I7 order \S+ costs \d+ JPY and captured 0: its review is none, expected wrong_currency/,
  ],
  [
    'a dollar sale belongs to an order in yen',
    `update orders set currency = 'JPY'`,
    /^I1 order \S+ made a sale of [1-9]\d* USD, expected 0/,
  ],
  [
    'an order is under review for no reason',
    `update orders set review_reason = 'overpaid'`,
    /^I7 order \S+ .*: its review is overpaid, expected none/,
  ],
  [
    'a review is invented to take the money',
    `update orders set review_reason = 'unknown_attempt';
     delete from ledger_transfers where posting like 'captured:%'`,
    /^I2 order \S+ holds -\d+ USD, expected 0/,
  ],
  [
    'the rest of an overpaid order is taken',
    `${captureAgain('amount_minor + 5')} update orders set review_reason = 'overpaid'`,
    /^I2 order \S+ holds 0 USD, expected 5/,
  ],
  [
    'nobody is told that too much was paid',
    captureAgain('amount_minor + 5'),
    /^I7 order \S+ .*: its review is none, expected overpaid/,
  ],
  [
    'nobody is told that too little was paid',
    captureInstead({ amountMinor: 'amount_minor - 1' }),
    /^I7 order \S+ .*: its review is none, expected underpaid/,
  ],
  [
    'an order arrives for less than its price',
    `${captureInstead({ amountMinor: 'amount_minor - 1' })} update orders set review_reason = 'underpaid'`,
    /^I7 order \S+ costs \d+ USD and captured \d+, but is arrived/,
  ],
  [
    'more was sold than was captured',
    `${captureInstead({ amountMinor: 'amount_minor - 1' })} update orders set review_reason = 'underpaid'`,
    /^I2 order \S+ holds -1 USD, expected [1-9]/,
  ],
  [
    'an order arrives for money of another kind',
    `${captureInstead({ currency: 'JPY' })} update orders set review_reason = 'wrong_currency'`,
    /^I7 order \S+ costs \d+ USD and captured 0, but is arrived/,
  ],
  [
    'an order is called unpaid although the money is there',
    `update orders set state = 'created'`,
    /^I7 order \S+ costs \d+ USD and captured \d+, but is created/,
  ],
  [
    'money is of an attempt that nobody made',
    `update order_events set fact = jsonb_set(fact, '{attemptId}', to_jsonb(gen_random_uuid()))
     where fact ->> 'type' = 'captured'`,
    /^I7 order \S+ .*: its review is none, expected unknown_attempt/,
  ],
  [
    'the provider was asked for another price',
    `update payment_attempts set amount_minor = amount_minor - 1`,
    /^I7 order \S+ costs \d+ USD, its attempt \S+ asks for \d+ USD/,
  ],
  [
    'the provider was asked for another currency',
    `update payment_attempts set currency = 'JPY'`,
    /^I7 order \S+ costs \d+ USD, its attempt \S+ asks for \d+ JPY/,
  ],
  [
    'the goods went to somebody else',
    `update orders set role_id = 'x', server_id = 's7', game_account_id = 'ga_thief'`,
    /^I6 order \S+ was for \S+ \/ s7 \/ x \/ ga_thief, the game gave to \S+ \/ s12 \/ /,
  ],
  [
    'a paid attempt is called closed',
    `update payment_attempts set state = 'closed'`,
    /^I8 order \S+: attempt \S+ is closed, its history says: opened, captured/,
  ],
  [
    'an attempt is called paid and nothing was captured',
    `delete from order_events where fact ->> 'type' = 'captured'`,
    /^I8 order \S+: attempt \S+ is captured, its history says: opened$/,
  ],
  [
    'an attempt is called closed and was not',
    `delete from order_events where fact ->> 'type' = 'captured';
     update payment_attempts set state = 'closed'`,
    /^I8 order \S+: attempt \S+ is closed, its history says: opened$/,
  ],
  [
    'an attempt is called declined and was not',
    `delete from order_events where fact ->> 'type' = 'captured';
     update payment_attempts set state = 'declined'`,
    /^I8 order \S+: attempt \S+ is declined, its history says: opened$/,
  ],
  [
    'an attempt that was closed is called open',
    `update order_events set fact = jsonb_set(fact, '{type}', '"attempt_closed"')
     where fact ->> 'type' = 'captured';
     ${nobodyAsks} update payment_attempts set state = 'open'`,
    /^I8 order \S+: attempt \S+ is open, its history says: opened, closed/,
  ],
  [
    'an attempt is forgotten',
    `delete from payment_attempts`,
    /^I8 order \S+: attempt \S+ is missing, its history says: opened, captured/,
  ],
  [
    'an attempt is in no history',
    `${nobodyAsks} ${secondAttempt}`,
    /^I8 order \S+: attempt \S+ is open, its history says: never opened/,
  ],
  [
    'two attempts are under way at once',
    `drop index one_open_attempt_per_order; ${nobodyAsks} ${secondAttempt.repeat(2)}`,
    /^I8 order \S+ has [23] attempts under way at once/,
  ],
];
