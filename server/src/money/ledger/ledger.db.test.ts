import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import { givenAccount } from '../../../test/orders.ts';
import { type Db, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import { type HouseLine, postHouseLines, postTransfer } from './ledger.ts';
import type { Transfer } from './transfer.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  db = database.open(5);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function givenTransfer(changes: Partial<Transfer> = {}): Promise<Transfer> {
  return {
    accountId: await givenAccount(db),
    originId: newId(),
    posting: 'captured:pi_1',
    debit: 'house:psp',
    credit: 'player:deposit',
    money: { amountMinor: 499n, currency: 'USD' },
    ...changes,
  };
}

const post = (transfer: Transfer) => db.transaction((tx) => postTransfer(tx, transfer));

const Row = z.object({ posting: z.string() });
const countOf = async ({ accountId }: Transfer) =>
  (await db.many(Row, sql`select posting from ledger_transfers where account_id = ${accountId}`))
    .length;

test('a ledger transfer that is posted twenty times concurrently is stored once', async () => {
  const transfer = await givenTransfer();
  await Promise.all(Array.from({ length: 20 }, () => post(transfer)));
  expect(await countOf(transfer)).toBe(1);
});

test.each<[string, Partial<Transfer>]>([
  ['another amount', { money: { amountMinor: 500n, currency: 'USD' } }],
  ['another currency', { money: { amountMinor: 499n, currency: 'EUR' } }],
  ['another book', { credit: 'house:sales' }],
])('a ledger transfer posted again under its id with %s is rejected', async (_what, changes) => {
  const transfer = await givenTransfer();
  await post(transfer);
  await expect(post({ ...transfer, ...changes })).rejects.toThrow('is posted differently');
  expect(await countOf(transfer)).toBe(1);
});

test.each<[string, Partial<Transfer>, string]>([
  ['of zero', { money: { amountMinor: 0n, currency: 'USD' } }, 'positive_amount'],
  ['of a negative amount', { money: { amountMinor: -1n, currency: 'USD' } }, 'positive_amount'],
  ['from a book to itself', { credit: 'house:psp' }, 'between_two_books'],
  ['for an unknown account', { accountId: randomUUID() }, 'foreign key'],
])('the ledger table rejects a ledger transfer %s', async (_what, changes, message) => {
  await expect(post(await givenTransfer(changes))).rejects.toThrow(message);
});

test('the ledger accepts E Points in every ledger account (book) for points and rejects a transfer to or from an unknown ledger account', async () => {
  const points = { amountMinor: 5n, currency: 'EPOINT' } as const;
  const books = ['house:points', 'house:disputed', 'player:basic', 'player:present'] as const;
  for (const book of books) {
    await post(await givenTransfer({ debit: book, money: points }));
    await post(await givenTransfer({ credit: book, money: points }));
  }
  const unknown = 'player:pocket' as 'player:basic'; // as: the type excludes unknown books
  await expect(post(await givenTransfer({ debit: unknown }))).rejects.toThrow('books_are_known');
  await expect(post(await givenTransfer({ credit: unknown }))).rejects.toThrow('books_are_known');
});

test('ledger transfers cannot be updated, deleted or truncated', async () => {
  await post(await givenTransfer());
  const write = (statement: ReturnType<typeof sql>) => db.transaction((tx) => tx.run(statement));
  await expect(write(sql`update ledger_transfers set amount_minor = 1`)).rejects.toThrow(
    'append-only',
  );
  await expect(write(sql`delete from ledger_transfers`)).rejects.toThrow('append-only');
  await expect(write(sql`truncate ledger_transfers`)).rejects.toThrow('append-only');
});

const feeLine: HouseLine = {
  day: '2026-11-14',
  psp: 'stripe',
  lineId: 'txn_1:fee',
  kind: 'fee',
  currency: 'USD',
  amountMinor: -44n,
  at: new Date('2026-11-14T12:00:00Z'),
};
const postHouse = (...lines: HouseLine[]) => db.transaction((tx) => postHouseLines(tx, lines));

const HouseRow = z.object({
  debit_book: z.string(),
  credit_book: z.string(),
  unit: z.string(),
  amount_minor: z.bigint(),
});
const houseRow = (lineId: string) =>
  db.many(
    HouseRow,
    sql`select debit_book, credit_book, unit, amount_minor from house_transfers where line_id = ${lineId}`,
  );

test.each([
  ['fee', 'house:fees'],
  ['dispute_fee', 'house:chargeback_fees'],
  ['payout', 'house:bank'],
  ['exchange', 'house:exchange'],
  ['adjustment', 'house:adjustments'],
] as const)(
  "a provider's settlement line of the kind %s without an order is posted between the ledger accounts house:psp and %s",
  async (kind, book) => {
    const [out, back] = [`${kind}-out`, `${kind}-back`];
    await postHouse(
      { ...feeLine, kind, lineId: out },
      { ...feeLine, kind, lineId: back, amountMinor: 44n, currency: 'GBP' },
    );
    const amount = { amount_minor: 44n };
    expect(await houseRow(out)).toEqual([
      { debit_book: book, credit_book: 'house:psp', unit: 'USD', ...amount },
    ]);
    expect(await houseRow(back)).toEqual([
      { debit_book: 'house:psp', credit_book: book, unit: 'GBP', ...amount },
    ]);
  },
);

test("a provider's settlement line without an order is posted to the ledger once, even concurrently and again under another day", async () => {
  const line = { ...feeLine, lineId: 'txn_often:fee' };
  await Promise.all(Array.from({ length: 20 }, () => postHouse(line)));
  await postHouse({ ...line, day: '2026-11-15' });
  expect(await houseRow(line.lineId)).toHaveLength(1);
});

test('the ledger rejects a transfer without an order if its amount is zero, is in points or does not involve the account house:psp', async () => {
  const insert = (debit: string, credit: string, unit: string, amount: number) =>
    db.transaction((tx) =>
      tx.run(sql`
        insert into house_transfers
          (day, psp, line_id, debit_book, credit_book, unit, amount_minor, at)
        values ('2026-11-14', 'stripe', 'txn_bad', ${debit}, ${credit}, ${unit}, ${amount}, now())`),
    );
  const fees = 'house:fees';
  await expect(insert(fees, 'house:psp', 'USD', 0)).rejects.toThrow('positive_amount');
  await expect(insert(fees, 'house:psp', 'EPOINT', 1)).rejects.toThrow('in_a_currency');
  for (const [debit, credit] of [
    [fees, 'house:bank'],
    ['house:psp', 'house:psp'],
    ['house:sales', 'house:psp'],
    ['house:psp', 'player:deposit'],
  ] as const) {
    await expect(insert(debit, credit, 'USD', 1)).rejects.toThrow('house_books_are_known');
  }
});

test('ledger transfers without an order (house transfers) cannot be updated, deleted or truncated', async () => {
  await postHouse({ ...feeLine, lineId: 'txn_kept:fee' });
  const write = (statement: ReturnType<typeof sql>) => db.transaction((tx) => tx.run(statement));
  await expect(write(sql`update house_transfers set amount_minor = 1`)).rejects.toThrow(
    'append-only',
  );
  await expect(write(sql`delete from house_transfers`)).rejects.toThrow('append-only');
  await expect(write(sql`truncate house_transfers`)).rejects.toThrow('append-only');
});
