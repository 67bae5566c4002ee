import {
  arrived,
  captureAgain,
  captured,
  captureInstead,
  type Forgery,
  ofArrived,
} from './forgery.ts';
import { spend } from './points.ts';

export const transfers: readonly Forgery[] = [
  [
    'a transfer has a posting that no order event explains',
    `insert into ledger_transfers
     select account_id, payment_id, 'manual', 'house:psp', 'house:sales', 'USD', 100000
     from orders where ${arrived}`,
    /^I1 transfer manual of order \S+ moves 100000 USD from house:psp to house:sales, which nothing/,
  ],
  [
    'a capture was credited to sales',
    `update ledger_transfers set credit_book = 'house:sales' where ${ofArrived} and ${captured}`,
    /^I1 transfer captured:\S+ of order \S+ moves 499 USD from house:psp to house:sales, which/,
  ],
  [
    'a sale was debited from the provider',
    `update ledger_transfers set debit_book = 'house:psp' where ${ofArrived} and posting = 'sale:3'`,
    /^I1 transfer sale:3 of order \S+ moves 499 USD from house:psp to house:sales, which nothing/,
  ],
  [
    'a transfer has no order',
    `insert into ledger_transfers select account_id, uuidv7(), posting, debit_book,
       credit_book, unit, amount_minor from ledger_transfers where ${ofArrived} and posting = 'sale:3'`,
    /^I1 transfer sale:3 of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'a transfer has another account than its order',
    `update ledger_transfers set account_id = gen_random_uuid() where ${ofArrived} and posting = 'sale:3'`,
    /^I1 transfer sale:3 of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'a sale transfer is larger than the price',
    `update ledger_transfers set amount_minor = 500 where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 500 USD, expected 499/,
  ],
  [
    'a sale transfer is missing',
    `delete from ledger_transfers where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 0 USD, expected 499/,
  ],
  [
    'a sale was posted twice',
    `insert into ledger_transfers select account_id, origin_id, 'sale:4', debit_book, credit_book,
       unit, amount_minor from ledger_transfers where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 998 USD, expected 499/,
  ],
  [
    'a sale transfer has another currency than its order',
    `update ledger_transfers set unit = 'JPY' where ${ofArrived} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 499 JPY, expected 0/,
  ],
  [
    'two sale transfers are a cent too large and a cent too small',
    `update ledger_transfers set amount_minor = amount_minor + 1 where ${ofArrived} and posting = 'sale:3';
     update ledger_transfers set amount_minor = amount_minor - 1
       where origin_id = {retried} and posting = 'sale:4'`,
    /^I1 order \S+ made a sale of 498 USD, expected 499/,
  ],
  [
    'a refund was posted twice',
    `insert into ledger_transfers select account_id, origin_id, posting || '2', debit_book, credit_book,
       unit, amount_minor from ledger_transfers where origin_id = {refunded} and posting like 'refund:%'`,
    /^I1 order \S+ booked 499 USD as refund:\S+2, expected 0/,
  ],
  [
    'a refund was split into two transfers',
    `insert into ledger_transfers select account_id, origin_id, posting || 'z', debit_book, credit_book,
       unit, 200 from ledger_transfers where origin_id = {refunded} and posting like 'refund:%';
     update ledger_transfers set amount_minor = 299
       where origin_id = {refunded} and posting like 'refund:%' and posting not like '%z'`,
    /^I1 order \S+ booked 299 USD as refund:\S+, expected 499/,
  ],
  [
    'a refund transfer is missing',
    `delete from ledger_transfers where origin_id = {refunded} and posting like 'refund:%'`,
    /^I1 order \S+ booked 0 USD as refund:\S+, expected 499/,
  ],
  [
    'a lost dispute was credited to sales',
    `update ledger_transfers set credit_book = 'house:sales'
     where origin_id = {lost} and posting like '%:lost'`,
    /^I1 transfer dispute:\S+:lost of order \S+ moves 499 USD from player:deposit to house:sales/,
  ],
  [
    'a refund transfer has another account than its order',
    `update ledger_transfers set account_id = gen_random_uuid()
     where origin_id = {refunded} and posting like 'refund:%'`,
    /^I1 transfer refund:\S+ of account \S+ is for \S+, which is no order of theirs/,
  ],
  [
    'the hold transfer of an open dispute is missing',
    `delete from ledger_transfers where origin_id = {disputed} and posting like '%:held'`,
    /^I1 order \S+ booked 0 USD as dispute:\S+:held, expected 499/,
  ],
  [
    'the hold of a won dispute was not released',
    `delete from ledger_transfers
     where origin_id = {won} and posting like '%:held' and debit_book = 'house:psp'`,
    /^I1 order \S+ booked 499 USD as dispute:\S+:held, expected 0/,
  ],
];

export const balances: readonly Forgery[] = [
  [
    'the credit of a capture is too large',
    `update ledger_transfers set amount_minor = 999 where ${ofArrived} and ${captured}`,
    /^I2 order \S+ holds 500 USD, expected 0/,
  ],
  [
    'the credit of a capture is missing',
    `delete from ledger_transfers where ${ofArrived} and ${captured}`,
    /^I2 order \S+ holds -499 USD, expected 0/,
  ],
  [
    'the surplus of an overpaid order is missing',
    captureAgain('504'),
    /^I2 order \S+ holds 0 USD, expected 5/,
  ],
  [
    'a sale is larger than its capture',
    captureInstead({ amountMinor: '498' }),
    /^I2 order \S+ holds -499|^I2 order \S+ holds -1 USD, expected/,
  ],
  [
    'a wallet has more points than its entries',
    `update wallets set basic = basic + 100`,
    /^I2 wallet \S+ has \d+ and \d+, its entries say \d+ and \d+, its lots \d+ and \d+/,
  ],
  [
    'a wallet has more points than a safe integer',
    `update wallets set basic = basic + 9007199254740992`,
    /^I2 wallet \S+ has NaN and \d+, its entries say \d+ and \d+/,
  ],
  [
    'two wallets have swapped balances',
    `update wallets set basic = other.basic, present = other.present
     from wallets as other where other.account_id <> wallets.account_id`,
    /^I2 wallet \S+ has -?\d+ and \d+, its entries say/,
  ],
  [
    'a wallet has lost its debt',
    `update wallets set basic = 0 where basic < 0`,
    /^I2 wallet \S+ has 0 and \d+, its entries say -\d+/,
  ],
  [
    'a lot holds points again that were spent',
    `update point_lots set remaining = remaining + 1, spent = spent - 1 where spent > 0`,
    /^I2 lot \S+ holds \d+ of \d+ points, its draws say \d+/,
  ],
  [
    'points were moved from a lot to another',
    `update point_lots set remaining = remaining - 1, spent = spent + 1
       where lot_id = (select lot_id from point_lots where remaining > 0 order by lot_id limit 1);
     update point_lots set remaining = remaining + 1, granted = granted + 1
       where lot_id = (select lot_id from point_lots where remaining > 0 order by lot_id desc limit 1)`,
    /^I2 lot \S+ holds \d+ of \d+ points, its draws say \d+/,
  ],
  [
    'a lot holds more points than were granted',
    `alter table point_lots drop constraint if exists every_point_is_in_one_place;
     update point_lots set granted = granted - 1`,
    /^I2 lot \S+ holds \d+ of \d+ points, its draws say \d+/,
  ],
  [
    'a point entry does not continue from the previous balance',
    `update point_entries set basic_after = basic_after + 5 where seq = 2`,
    /^I2 entry [23] of wallet \S+, a \S+ of \S+ and \S+: from/,
  ],
  [
    'a spend entry leads to a debt',
    `alter table point_entries drop constraint if exists only_a_claw_back_makes_debt,
       drop constraint if exists nothing_is_spent_in_debt;
     update point_entries set basic_change = -9000, basic_after = basic_after - basic_change - 9000
     where origin_id = ${spend}`,
    /^I2 entry \d+ of wallet \S+, a spend of -9000/,
  ],
];
