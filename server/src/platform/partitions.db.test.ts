import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { migratedAt, openScratch, type Scratch } from '../../test/scratch.ts';
import { sql } from './db.ts';
import { newId } from './ids.ts';
import { log } from './log.ts';
import { ensurePartitions } from './partitions.ts';

let scratch: Scratch;
/** When the tables were made, in what is this month here. */
let made: Date;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
  made = await migratedAt(scratch, '0004_orders.sql');
});
afterAll(() => scratch.close());

const partitioned = [
  'orders',
  'order_events',
  'payment_attempts',
  'deliveries',
  'ledger_transfers',
];
const At = z.object({ at: z.string() });

const monthOf = (from: Date, ahead: number, day = 1) =>
  Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + ahead, day);

/** As the names of the tables have it. */
function monthName(ahead: number, from = made): string {
  return new Date(monthOf(from, ahead)).toISOString().slice(0, 7).replace('-', '_');
}

async function tablesOf(parent: string): Promise<string[]> {
  const rows = await scratch.db.many(
    At,
    sql`select inhrelid::regclass::text as at from pg_inherits
        where inhparent = ${parent}::regclass order by 1`,
  );
  return rows.map(({ at }) => at);
}

/** An order with one event, whose id was made at that moment; answers where each of them lies. */
async function givenOrderAt(moment: number, of: Scratch = scratch) {
  const key = { accountId: randomUUID(), paymentId: newId(moment) };
  await of.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id,
        game_account_id, item_id, pack_count, order_type, method, system, currency, amount_minor,
        snapshot, expire_at)
      values (${key.accountId}, ${key.paymentId}, 's', 'g', 's1', 'r1', 'ga', 'i', 1, 'foreign',
        'card', 'ios', 'USD', 99, '{}', now())`);
    await tx.run(sql`
      insert into order_events (account_id, payment_id, seq, fact_key, fact, state_before, state_after)
      values (${key.accountId}, ${key.paymentId}, 1, 'expired', '{"type": "expired"}', 'created', 'closed')`);
  });
  const order = await of.db.one(
    At,
    sql`select tableoid::regclass::text as at from orders where payment_id = ${key.paymentId}`,
  );
  const event = await of.db.one(
    At,
    sql`select tableoid::regclass::text as at from order_events where payment_id = ${key.paymentId}`,
  );
  return { ...key, order: order.at, event: event.at };
}

describe('what grows with orders', () => {
  test.each(partitioned)(
    '%s has a table for this month, the next two, and a rest',
    async (parent) => {
      const months = [0, 1, 2].map((ahead) => `${parent}_${monthName(ahead)}`);
      expect(await tablesOf(parent)).toEqual([...months, `${parent}_default`]);
    },
  );

  test('an order of this month lies in the table of this month, with all that belongs to it', async () => {
    expect(await givenOrderAt(made.getTime())).toMatchObject({
      order: `orders_${monthName(0)}`,
      event: `order_events_${monthName(0)}`,
    });
  });

  test('an order of another year is not refused: it lies in the rest', async () => {
    expect(await givenOrderAt(Date.UTC(2019, 4, 1))).toMatchObject({
      order: 'orders_default',
      event: 'order_events_default',
    });
  });

  test('a month begins with its first millisecond and ends before the next', async () => {
    const begins = monthOf(made, 1);
    expect((await givenOrderAt(begins)).order).toBe(`orders_${monthName(1)}`);
    expect((await givenOrderAt(begins - 1)).order).toBe(`orders_${monthName(0)}`);
  });
});

describe('making the months ahead', () => {
  // A table takes long enough to make for the others to come in between.
  const slowTables = `
    create function take_long() returns event_trigger language plpgsql
      as 'begin perform pg_sleep(0.2); end';
    create event trigger slow_tables on ddl_command_end when tag in ('CREATE TABLE')
      execute function take_long();`;

  test('makes what is missing, harmlessly often and by several workers at once', async () => {
    // Whatever month it has become since they were made.
    await ensurePartitions(scratch.db);
    const before = await Promise.all(partitioned.map(tablesOf));
    const missing = `ledger_transfers_${monthName(2)}`;
    await scratch.executor.executeSql(`drop table ${missing}`);
    await scratch.executor.executeSql(slowTables);
    await Promise.all([1, 2, 3].map(() => ensurePartitions(scratch.db)));
    await scratch.executor.executeSql('drop event trigger slow_tables');
    expect(before.flat()).toContain(missing);
    expect(await Promise.all(partitioned.map(tablesOf))).toEqual(before);
  });

  // After a month without a worker its orders lie in the rest, and no table can be made for them.
  test('goes on although a month has orders in the rest already', async () => {
    const late = await openScratch();
    const [taken, free] = [monthName(1), monthName(2)];
    for (const parent of partitioned.toReversed()) {
      await late.executor.executeSql(`drop table ${parent}_${taken}, ${parent}_${free} cascade`);
    }
    const inTaken = monthOf(made, 1, 2);
    expect((await givenOrderAt(inTaken, late)).order).toBe('orders_default');

    await ensurePartitions(late.db);

    const inFree = monthOf(made, 2, 2);
    expect((await givenOrderAt(inFree, late)).order).toBe(`orders_${free}`);
    expect((await givenOrderAt(inTaken, late)).order).toBe('orders_default');
    await late.close();
  });
});

describe('history', () => {
  // It has a table, whether or not a month has begun since they were made.
  const nextMonth = monthName(1, new Date());
  const changes = (table: string) => [
    `update ${table} set account_id = account_id`,
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table}_default`,
    `truncate ${table}_${nextMonth}`,
  ];

  test.each(['order_events', 'ledger_transfers'].flatMap(changes))(
    'refuses to be changed: %s',
    async (statement) => {
      const { accountId, paymentId } = await givenOrderAt(Date.now());
      await scratch.db.transaction(async (tx) => {
        await tx.run(sql`
          insert into accounts (id, account_type, display_name)
          values (${accountId}, 'ACCOUNT', 'A')`);
        await tx.run(sql`
          insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book,
            unit, amount_minor)
          values (${accountId}, ${paymentId}, 'captured', 'house:psp', 'player:deposit', 'USD', 99)`);
      });
      await expect(scratch.executor.executeSql(statement)).rejects.toThrow('is append-only');
    },
  );
});
