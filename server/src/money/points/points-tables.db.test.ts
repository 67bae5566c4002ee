import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfEntry } from '../../../test/points/entry-hash.ts';
import { givenWallet, openPointsDb } from '../../../test/points/wallets.ts';
import { type Db, type Sql, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';

// Tests of the constraints that make the tables reject invalid rows, whatever code writes them.
let db: Db;
let close: () => Promise<void>;
let accountId: string;
let lotId: string | undefined;
const originId = newId();
beforeAll(async () => {
  ({ db, close } = await openPointsDb());
  const wallet = await givenWallet(db);
  accountId = wallet.accountId;
  await wallet.topUp({ originId, basic: 10n, present: 10n });
  await (await givenWallet(db)).give({});
  await wallet.spend(15n);
  lotId = (await wallet.records()).lots[0]?.lot_id;
});
afterAll(() => close());

const write = (statement: Sql) => db.transaction((tx) => tx.run(statement));

test.each<[string, Sql[]]>([
  [
    'point_entries',
    [
      sql`update point_entries set seq = seq`,
      sql`delete from point_entries`,
      sql`truncate point_entries, point_draws`,
    ],
  ],
  [
    'point_draws',
    [
      sql`update point_draws set seq = seq`,
      sql`delete from point_draws`,
      sql`truncate point_draws`,
    ],
  ],
  [
    'top_up_steps',
    [
      sql`update top_up_steps set step = step`,
      sql`delete from top_up_steps`,
      sql`truncate top_up_steps`,
    ],
  ],
  [
    'point_gifts',
    [
      sql`update point_gifts set points = points`,
      sql`delete from point_gifts`,
      sql`truncate point_gifts`,
    ],
  ],
])(
  'rows of the points table %s cannot be updated, deleted or truncated',
  async (table, statements) => {
    for (const statement of statements) {
      await expect(write(statement)).rejects.toThrow(`${table} is append-only`);
    }
  },
);

interface TestEntry {
  seq: number;
  posting: string;
  kind: string;
  basicChange: bigint;
  presentChange: bigint;
  basicAfter: bigint;
  presentAfter: bigint;
  prevHash: Buffer;
  /** Null means the hash of the entry's line. */
  hash: Buffer | null;
}

const goodEntry: TestEntry = {
  seq: 3,
  posting: 'test',
  kind: 'top_up',
  basicChange: 1n,
  presentChange: 0n,
  basicAfter: 6n,
  presentAfter: 0n,
  prevHash: Buffer.alloc(32),
  hash: null,
};

const insertEntry = (changes: Partial<TestEntry>) => {
  const entry = { ...goodEntry, ...changes };
  return sql`
    insert into point_entries
    select *, coalesce(${entry.hash}::bytea, ${hashOfEntry}) from (
      select ${accountId}::uuid as account_id, ${entry.seq}::int as seq, ${originId}::uuid as origin_id,
             ${entry.posting} as posting, ${entry.kind} as kind,
             ${entry.basicChange}::bigint as basic_change,
             ${entry.presentChange}::bigint as present_change,
             ${entry.basicAfter}::bigint as basic_after,
             ${entry.presentAfter}::bigint as present_after, now()::timestamptz(3) as at, '' as draws,
             ${entry.prevHash}::bytea as prev_hash
    ) as entry`;
};

test.each<[string, Partial<TestEntry>, string]>([
  ['that changes nothing', { basicChange: 0n }, 'entry_changes_something'],
  ['that tops up a negative amount', { basicChange: -1n }, 'entry_goes_the_way_of_its_kind'],
  ['that refunds a negative amount', { kind: 'refund', presentChange: -1n }, 'the_way_of_its_kind'],
  ['that restores a negative amount', { kind: 'restore', basicChange: -1n }, 'the_way_of_its_kind'],
  ['that spends a positive change', { kind: 'spend' }, 'entry_goes_the_way_of_its_kind'],
  ['that claws back a positive change', { kind: 'claw_back' }, 'entry_goes_the_way_of_its_kind'],
  ['that expires a positive change', { kind: 'expiry', presentChange: 1n }, 'the_way_of_its_kind'],
  ['of an unknown kind', { kind: 'prize', basicChange: -1n }, 'point_entries_kind_check'],
  ['that gives bought points as a gift', { kind: 'gift' }, 'nobody_is_given_what_is_bought'],
  ['that gives a negative amount', { kind: 'gift', presentChange: -1n }, 'the_way_of_its_kind'],
  ['that leaves a negative present balance', { presentAfter: -1n }, 'present_after_is_never_owed'],
  ['with sequence number zero', { seq: 0, basicAfter: 1n }, 'point_entries_seq_check'],
  [
    'with sequence number one that does not start from zero',
    { seq: 1 },
    'first_entry_starts_from_nothing',
  ],
  ['with a sequence number already used', { seq: 2 }, 'point_entries_pkey'],
  ['with a posting name already used', { posting: 'top_up' }, 'origin_id_posting_key'],
  ['with a field separator in its posting name', { posting: 'a|b' }, 'posting_fits_a_line'],
  ['with a line break in its posting name', { posting: 'a\nb' }, 'posting_fits_a_line'],
  ['without a posting name', { posting: '' }, 'posting_fits_a_line'],
  ['with the hash of another line', { hash: Buffer.alloc(32) }, 'hash_is_of_the_line'],
  ['with a truncated hash', { hash: Buffer.alloc(16) }, 'hash_is_a_hash'],
  ['with a truncated previous hash', { prevHash: Buffer.alloc(16) }, 'prev_hash_is_a_hash'],
  [
    'that spends into debt',
    { kind: 'spend', basicChange: -7n, basicAfter: -1n },
    'nothing_is_spent_in_debt',
  ],
  [
    'that spends gift points while in debt',
    { kind: 'spend', basicChange: 0n, presentChange: -1n, basicAfter: -1n },
    'nothing_is_spent_in_debt',
  ],
  [
    'that expires into debt',
    { kind: 'expiry', basicChange: -7n, basicAfter: -1n },
    'only_a_claw_back_makes_debt',
  ],
])(
  'the table of point entries rejects an inconsistent row: an entry %s',
  async (_what, changes, constraint) => {
    await expect(write(insertEntry(changes))).rejects.toThrow(constraint);
  },
);

test.each<[string, Partial<TestEntry>]>([
  ['a claw-back into debt', { kind: 'claw_back', basicChange: -7n, basicAfter: -1n }],
  ['a top-up that leaves a debt', { basicAfter: -1n }],
  [
    'an expiry while in debt',
    { kind: 'expiry', basicChange: 0n, presentChange: -1n, basicAfter: -1n },
  ],
])(
  'the table of point entries accepts a row with a negative balance if its kind allows that: %s',
  async (_what, changes) => {
    const accepted = db.transaction(async (tx) => {
      await tx.run(insertEntry(changes));
      throw new Error('and undone');
    });
    await expect(accepted).rejects.toThrow('and undone');
  },
);

const changeLot = (change: Sql) =>
  sql`update point_lots set ${change} where account_id = ${accountId} and lot_id = ${lotId}`;

test.each<[string, () => Sql, string]>([
  ['more points than were granted', () => sql`remaining = remaining + 1`, 'every_point_is_in_one'],
  ['fewer points than were granted', () => sql`spent = spent + 1`, 'every_point_is_in_one_place'],
  [
    'a negative remainder',
    () => sql`remaining = -1, granted = granted - remaining - 1`,
    'remaining_check',
  ],
  [
    'a negative number of spent points',
    () => sql`spent = -1, remaining = granted + 1`,
    'spent_check',
  ],
  [
    'a negative number of expired points',
    () => sql`expired = -1, granted = granted - 1`,
    'expired_check',
  ],
  [
    'a negative number of claimed points',
    () => sql`claimed = -1, granted = granted - 1`,
    'claimed_check',
  ],
  ['a grant of zero points', () => sql`granted = 0, remaining = 0, spent = 0`, 'granted_check'],
  ['an unknown bucket', () => sql`bucket = 'other'`, 'point_lots_bucket_check'],
  [
    'an expiry time although bought',
    () => sql`bucket = 'basic', expires_at = now()`,
    'do_not_expire',
  ],
])(
  'the table of points grouped by credit (point_lots) rejects a row with %s',
  async (_what, change, constraint) => {
    await expect(write(changeLot(change()))).rejects.toThrow(constraint);
  },
);

test.each<[string, () => Sql, string]>([
  ['a negative present balance', () => sql`present = -1`, 'present_is_never_owed'],
  ['a truncated head hash', () => sql`head = '\\x00'`, 'head_is_a_hash'],
  ['a negative number of entries', () => sql`seq = -1`, 'wallets_seq_check'],
])('the table of point wallets rejects a wallet with %s', async (_what, change, constraint) => {
  const statement = sql`update wallets set ${change()} where account_id = ${accountId}`;
  await expect(write(statement)).rejects.toThrow(constraint);
});

test.each<[string, bigint[], string]>([
  [
    'keeps more basic points than were granted',
    [10n, 10n, 11n, 10n, 0n, 0n],
    'kept_of_basic_is_a_part',
  ],
  [
    'keeps more present points than were granted',
    [10n, 10n, 10n, 11n, 0n, 0n],
    'kept_of_present_is_a_part',
  ],
  [
    'keeps a negative number of basic points',
    [10n, 10n, -1n, 10n, 0n, 0n],
    'kept_of_basic_is_a_part',
  ],
  [
    'keeps a negative number of present points',
    [10n, 10n, 10n, -1n, 0n, 0n],
    'kept_of_present_is_a_part',
  ],
  ['keeps and claims the same points', [10n, 10n, 10n, 5n, 6n, 0n], 'no_present_is_taken_twice'],
  ['claims and owes the same points', [10n, 10n, 10n, 4n, 4n, 3n], 'no_present_is_taken_twice'],
  ['claims a negative number of points', [10n, 10n, 10n, 4n, -1n, 0n], 'present_claimed_check'],
  ['owes a negative number of points', [10n, 10n, 10n, 4n, 0n, -1n], 'present_owed_check'],
])(
  'the table of top-up steps (points taken back or restored) rejects a step that %s',
  async (_what, numbers, constraint) => {
    const [basic, present, basicKept, presentKept, claimed, owed] = numbers;
    const statement = sql`
    insert into top_up_steps
    values (${accountId}, ${originId}, 2, 'test', ${basic}, ${present}, ${basicKept},
            ${presentKept}, ${claimed}, ${owed}, now())`;
    await expect(write(statement)).rejects.toThrow(constraint);
  },
);

test('the table point_draws (spent points per credit) rejects a row with zero points, an unknown entry or an unknown credit', async () => {
  const draw = (seq: number, lot: string | undefined, points: bigint) => sql`
    insert into point_draws values (${accountId}, ${seq}, 9, ${lot}, ${points})`;
  await expect(write(draw(1, lotId, 0n))).rejects.toThrow('draw_moves_something');
  await expect(write(draw(9, lotId, 1n))).rejects.toThrow('foreign key');
  await expect(write(draw(1, randomUUID(), 1n))).rejects.toThrow('foreign key');
});

test('the table of point wallets rejects a wallet without an account', async () => {
  const statement = sql`insert into wallets (account_id, head) values (${randomUUID()}, ${Buffer.alloc(32)})`;
  await expect(write(statement)).rejects.toThrow('foreign key');
});
