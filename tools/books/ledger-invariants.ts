import { captures, type ShopInvariant } from './invariant.ts';

const signed = `
  select account_id, origin_id, credit_book as book, unit, amount_minor as amount from ledger_transfers
  union all
  select account_id, origin_id, debit_book, unit, -amount_minor from ledger_transfers`;

const unknownTransfers = `
  select format('transfer %s of order %s moves %s %s from %s to %s, which nothing in the shop does',
                posting, origin_id, amount_minor, unit, debit_book, credit_book) as violation
  from ledger_transfers
  where not (posting like 'captured:%' and debit_book = 'house:psp' and credit_book = 'player:deposit')
    and not (posting = 'arrived' and debit_book = 'player:deposit' and credit_book = 'house:sales')`;

const transfersOfNoOrder = `
  select format('transfer %s of account %s is for %s, which is no order of theirs', posting,
                transfers.account_id, origin_id) as violation
  from ledger_transfers as transfers
  left join orders on orders.account_id = transfers.account_id and payment_id = origin_id
  where payment_id is null`;

const wrongSales = `
  with sales as (
    select account_id, origin_id, unit, sum(amount) as amount from (${signed}) as entries
    where book = 'house:sales' group by account_id, origin_id, unit
  ), arrived as (
    select account_id, payment_id, currency, amount_minor from orders where state = 'arrived'
  )
  select format('order %s made a sale of %s %s, expected %s', coalesce(payment_id, origin_id),
                coalesce(amount, 0), coalesce(unit, currency), coalesce(amount_minor, 0)) as violation
  from arrived full join sales
    on sales.account_id = arrived.account_id and origin_id = payment_id and unit = currency
  where coalesce(amount, 0) <> coalesce(amount_minor, 0)`;

// The price says what an order should hold. Only where the money does not fit the price is it
// everything that was captured, whatever the currency, without what was sold.
const wrongDeposits = `
  with deposits as (
    select account_id, origin_id, unit, sum(amount) as amount from (${signed}) as entries
    where book = 'player:deposit' group by account_id, origin_id, unit
  ), reviewed as (
    select account_id, payment_id, captures.currency, captures.amount_minor as amount
    from (${captures}) as captures join orders using (account_id, payment_id)
    where review_reason is not null
    union all
    select account_id, payment_id, currency, -amount_minor
    from orders where review_reason is not null and state = 'arrived'
  ), expected as (
    select account_id, payment_id, currency,
           case when state in ('paid', 'stuck') then amount_minor else 0 end as amount
    from orders where review_reason is null
    union all
    select account_id, payment_id, currency, greatest(sum(amount), 0)
    from reviewed group by account_id, payment_id, currency
  )
  select format('order %s holds %s %s, expected %s', coalesce(payment_id, origin_id),
                coalesce(deposits.amount, 0), coalesce(unit, currency), coalesce(expected.amount, 0))
         as violation
  from expected full join deposits
    on deposits.account_id = expected.account_id and origin_id = payment_id and unit = currency
  where coalesce(deposits.amount, 0) <> coalesce(expected.amount, 0)`;

export const ledgerInvariants: readonly ShopInvariant[] = [
  {
    id: 'I1',
    claim:
      'every transfer is a capture or the sale of an order; what arrived was sold, at its price',
    count: 'select count(*) from ledger_transfers',
    violations: [unknownTransfers, transfersOfNoOrder, wrongSales],
  },
  {
    id: 'I2',
    claim: "no player's deposit is negative, and it equals what is paid and not yet arrived",
    count: 'select count(*) from orders',
    violations: [wrongDeposits],
  },
];
