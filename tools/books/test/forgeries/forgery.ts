// SQL statements that forge rows of a shop in which every scenario has happened. A name in braces
// stands for the payment id of an order of that scenario.

/** A label, the statement, and the expected violation. */
export type Forgery = readonly [what: string, statement: string, told: RegExp];

export const arrived = `payment_id = {arrived}`;
export const ofArrived = `origin_id = {arrived}`;
export const captured = `posting like 'captured:%'`;

export const secondAttempt = `
  insert into payment_attempts select account_id, payment_id, gen_random_uuid(), psp, 'open', currency,
    amount_minor, psp_ref, locale, created_at, expires_at, checks,
    now() + interval '1 day'
  from payment_attempts where ${arrived};`;

/** Adds a report of the provider that the order's capture has another amount. */
export const captureAgain = (amountMinor: string) => `
  insert into order_events
  select orders.account_id, orders.payment_id, version + 1, 'captured:again',
         jsonb_set(fact, '{amountMinor}', to_jsonb((${amountMinor})::text)), state, state
  from orders join order_events using (account_id, payment_id)
  where ${arrived} and fact ->> 'type' = 'captured';
  update orders set version = version + 1 where ${arrived};`;

/** Replaces the order's only capture, in the history and in the ledger. */
export const captureInstead = ({ amountMinor = '499', currency = 'USD' }) => `
  update order_events set fact = fact
    || jsonb_build_object('amountMinor', '${amountMinor}', 'currency', '${currency}')
    where ${arrived} and fact ->> 'type' = 'captured';
  update ledger_transfers set unit = '${currency}', amount_minor = ${amountMinor}
    where ${ofArrived} and ${captured};`;
