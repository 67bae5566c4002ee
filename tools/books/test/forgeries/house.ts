import type { Forgery } from './forgery.ts';

export const houseTransfers: readonly Forgery[] = [
  [
    'a fee entry is a cent larger than the line of the provider',
    `update house_transfers set amount_minor = amount_minor + 1
     where line_id = (select min(line_id) from house_transfers where debit_book = 'house:fees')`,
    /^I15 entry \S+:fee of stripe is no line of the provider's file/,
  ],
  [
    'a fee was booked as a payout',
    `update house_transfers set debit_book = 'house:bank'
     where line_id = (select min(line_id) from house_transfers where debit_book = 'house:fees')`,
    /^I15 entry \S+:fee of stripe is no line of the provider's file/,
  ],
  [
    'a payout entry has no line of the provider',
    `insert into house_transfers select day, psp, 'txn_nowhere', debit_book, credit_book, unit, amount_minor, at
     from house_transfers where debit_book = 'house:bank'`,
    /^I15 entry txn_nowhere of stripe is no line of the provider's file/,
  ],
  [
    'a payout entry has another day than the line of the provider',
    `update house_transfers set day = day - 1 where debit_book = 'house:bank'`,
    /^I15 entry txn_payout of stripe is no line of the provider's file/,
  ],
  [
    'a payout line has no entry',
    `delete from house_transfers where debit_book = 'house:bank'`,
    /^I15 line txn_payout of stripe is in no book/,
  ],
  [
    'a fee line has no entry',
    `delete from house_transfers
     where line_id = (select min(line_id) from house_transfers where debit_book = 'house:fees')`,
    /^I15 line \S+:fee of stripe is in no book/,
  ],
  [
    'the last step of deferred revenue was deleted',
    `delete from deferrals where (origin_id, step) = (
       select origin_id, step from deferrals where step > 1 order by step desc limit 1)`,
    /^I16 of top-up \S+ \d+ USD is deferred/,
  ],
  [
    'the first step of deferred revenue was deleted',
    `delete from deferrals where (origin_id, step) = (
       select origin_id, step from deferrals where step = 1 and origin_id in (
         select origin_id from deferrals where step = 2) limit 1)`,
    /^I16 of top-up \S+ \d+ USD is deferred/,
  ],
  [
    'the deferred revenue of a top-up is larger than its price',
    `update deferrals set sold_minor = sold_minor + 1, deferred_minor = deferred_minor + 1,
       change_minor = change_minor + 1
     where step = 1 and origin_id = (select min(origin_id::text)::uuid from deferrals)`,
    /^I16 of top-up \S+ \d+ USD is deferred/,
  ],
  [
    'revenue was recognised for points that were not used',
    `insert into deferrals (account_id, origin_id, step, currency, sold_minor, kept_minor, kept_points, remaining,
       deferred_minor, change_minor)
     select account_id, origin_id, step + 1, currency, sold_minor, kept_minor, kept_points, 0,
       sold_minor - kept_minor, sold_minor - kept_minor - deferred_minor
     from (select distinct on (origin_id) * from deferrals order by origin_id, step desc) as last
     where remaining > 0 and kept_points > 0 order by origin_id limit 1`,
    /^I16 of top-up \S+ \d+ USD is deferred/,
  ],
];
