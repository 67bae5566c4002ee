import type { Forgery } from './forgery.ts';
import { hashAgain, topUp } from './points.ts';

// Each of these violates a single rule of a wallet and keeps all others with the same message, so
// that every rule is tested.

const saver = `account_id = (select account_id from orders where payment_id = ${topUp})`;
/**
 * The latest lot: unspent if it is of basic points, completely spent if it is of present points.
 */
const lot = (bucket: string) => `${saver} and lot_id = (select lot_id from point_lots
  where ${saver} and bucket = '${bucket}' order by created_at desc limit 1)`;
/** A top-up and a spend of both kinds of points; the spend is the last entry. */
const granted = `${saver} and seq = 2`;
const spent = `${saver} and seq = 10`;
/** The draws of these entries are of both kinds too. */
const drawn = (bucket: string) =>
  `lot_id in (select lot_id from point_lots where bucket = '${bucket}')`;

const free = (table: string, ...rules: string[]) =>
  `alter table ${table} ${rules.map((rule) => `drop constraint if exists ${rule}`).join(', ')};`;
const freeLots = free(
  'point_lots',
  'every_point_is_in_one_place',
  ...['remaining', 'spent', 'expired', 'claimed'].map((place) => `point_lots_${place}_check`),
);

const unlikeWallet = /^I2 wallet \S+ has -?\d+ and -?\d+, its entries say/;
const unlikeLot = /^I2 lot \S+ holds -?\d+ of \d+ points, its draws say/;
const unlikeEntry = (seq: number) =>
  RegExp(`^I2 entry ${seq} of wallet \\S+, a \\S+ of -?\\d+ and`);

export const wallets: readonly Forgery[] = [
  [
    'a lot belongs to a missing wallet',
    `insert into point_lots select gen_random_uuid(), gen_random_uuid(), bucket, origin_id, granted, 0, 0,
       0, granted, expires_at, created_at, is_frozen from point_lots where ${lot('present')}`,
    /^I2 wallet \S+ has 0 and 0, its entries say 0 and 0, its lots 0 and 0/,
  ],
  ...['basic', 'present'].flatMap((bucket): Forgery[] => [
    [
      `a wallet and a lot have ${bucket} points without an entry`,
      `${freeLots} update point_lots set remaining = remaining + 100 where ${lot(bucket)};
       update wallets set ${bucket} = ${bucket} + 100 where ${saver}`,
      unlikeWallet,
    ],
    [
      `a lot has ${bucket} points that its wallet does not have`,
      `${freeLots} update point_lots set remaining = remaining + 100 where ${lot(bucket)}`,
      unlikeWallet,
    ],
    [
      `a lot has more spent ${bucket} points than its wallet`,
      `${freeLots} update point_lots set spent = spent + 1 where ${lot(bucket)}`,
      unlikeWallet,
    ],
  ]),
  [
    'a lot of basic points is larger than the purchase',
    `${freeLots} update point_lots set granted = granted + 1 where ${lot('basic')}`,
    unlikeWallet,
  ],
  [
    'a wallet has a debt of present points',
    `${freeLots} ${free('wallets', 'present_is_never_owed')}
     update point_lots set remaining = -1 where ${lot('present')};
     update point_entries set present_change = present_change - 1 where ${granted};
     update wallets set present = -1 where ${saver}`,
    /^I2 wallet \S+ has \d+ and -1, its entries say \d+ and -1, its lots \d+ and -1/,
  ],
  [
    'points were drawn from a missing lot',
    `insert into point_draws select account_id, seq, 99, gen_random_uuid(), 5 from point_entries
     where ${granted}`,
    /^I2 lot \S+ holds 0 of 0 points, its draws say 5/,
  ],
  [
    'a lot has a point that no entry granted',
    `update point_lots set remaining = remaining + 1, granted = granted + 1 where ${lot('basic')}`,
    unlikeLot,
  ],
  [
    'more points were drawn from a lot than it held',
    `${freeLots} update point_lots set remaining = -1, spent = spent + 1 where ${lot('present')};
     update point_draws set points = points - 1 where ${spent} and ${drawn('present')}`,
    /^I2 lot \S+ holds -1 of \d+ points, its draws say -1/,
  ],
  ...Object.entries({ spent: 'claimed', expired: 'claimed', claimed: 'expired' }).map(
    ([place, other]): Forgery => [
      `a lot has a negative number of ${place} points`,
      `${freeLots} update point_lots set ${place} = -1, ${other} = ${other} + 1 where ${lot('basic')}`,
      unlikeLot,
    ],
  ),
  [
    'an entry has more basic points than it added',
    `update point_entries set basic_change = basic_change + 1 where ${granted}`,
    unlikeEntry(2),
  ],
  [
    'an entry has more present points than it added',
    `update point_entries set present_change = present_change + 1 where ${granted};
     update point_draws set points = points + 1 where ${granted} and ${drawn('present')}`,
    unlikeEntry(2),
  ],
  [
    'more present points were spent than the wallet held',
    `${free('point_entries', 'present_after_is_never_owed')}
     update point_entries set present_change = present_change - 1, present_after = -1 where ${spent};
     update point_draws set points = points - 1 where ${spent} and ${drawn('present')}`,
    unlikeEntry(10),
  ],
  [
    'a spend entry is larger than the balance',
    `${free('point_entries', 'only_a_claw_back_makes_debt', 'nothing_is_spent_in_debt')}
     update point_draws set points = points - (select basic_after from point_entries where ${spent})
       where ${spent} and ${drawn('basic')};
     update point_entries set basic_change = basic_change - basic_after - 7, basic_after = -7
       where ${spent}`,
    unlikeEntry(10),
  ],
  [
    'a spend entry is recorded as a restore entry',
    `${free('point_entries', 'entry_goes_the_way_of_its_kind')}
     update point_entries set kind = 'restore' where ${spent}`,
    unlikeEntry(10),
  ],
  ...['basic', 'present'].map(
    (bucket): Forgery => [
      `a lot received more ${bucket} points than its entry has`,
      `update point_draws set points = points + 1 where ${granted} and ${drawn(bucket)}`,
      unlikeEntry(2),
    ],
  ),
];

export const chains: readonly Forgery[] = [
  [
    'a statement skips a sequence number',
    `update point_draws set seq = 11 where ${spent}; update wallets set seq = 11 where ${saver};
     update point_entries set seq = 11 where ${spent}; ${hashAgain} where ${saver} and seq = 11`,
    /^I12 entry 11 of wallet \S+ is not what was hashed/,
  ],
  [
    'a statement has entries after the last one of its wallet',
    `update wallets set seq = 9, head = (select prev_hash from point_entries where ${spent})
     where ${saver}`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'a wallet without a statement has a hash',
    `insert into wallets (account_id, head) values (gen_random_uuid(), sha256('of something'))`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'a draw has no entry',
    `insert into point_draws select account_id, 99, position, lot_id, points from point_draws
     where ${granted}`,
    /^I12 draw 1 of entry 99 of wallet \S+ is of no entry/,
  ],
];
