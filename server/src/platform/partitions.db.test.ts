import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { sql } from './db.ts';
import { newId } from './ids.ts';
import { log } from './log.ts';
import { ensurePartitions } from './partitions.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
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

/** Months from now, as the names of the tables have them. */
function monthName(ahead: number): string {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
  return month.toISOString().slice(0, 7).replace('-', '_');
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
      values (${key.accountId}, ${key.paymentId}, 1, 'expired', '{}', 'created', 'closed')`);
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
    expect(await givenOrderAt(Date.now())).toMatchObject({
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
    const now = new Date();
    const begins = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
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
    const missing = `ledger_transfers_${monthName(2)}`;
    await scratch.executor.executeSql(`drop table ${missing}`);
    await scratch.executor.executeSql(slowTables);
    await Promise.all([1, 2, 3].map(() => ensurePartitions(scratch.db)));
    await scratch.executor.executeSql('drop event trigger slow_tables');
    expect(await tablesOf('ledger_transfers')).toContain(missing);
    for (const parent of partitioned) expect(await tablesOf(parent)).toHaveLength(4);
  });

  // After a month without a worker its orders lie in the rest, and no table can be made for them.
  test('goes on although a month has orders in the rest already', async () => {
    const late = await openScratch();
    const [taken, free] = [monthName(1), monthName(2)];
    for (const parent of partitioned.toReversed()) {
      await late.executor.executeSql(`drop table ${parent}_${taken}, ${parent}_${free} cascade`);
    }
    const now = new Date();
    const inTaken = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2);
    expect((await givenOrderAt(inTaken, late)).order).toBe('orders_default');

    await ensurePartitions(late.db);

    const inFree = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 2);
    expect((await givenOrderAt(inFree, late)).order).toBe(`orders_${free}`);
    expect((await givenOrderAt(inTaken, late)).order).toBe('orders_default');
    await late.close();
  });
});

describe('history', () => {
  const thisMonth = new Date().toISOString().slice(0, 7).replace('-', '_');
  const changes = (table: string) => [
    `update ${table} set account_id = account_id`,
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table}_default`,
    `truncate ${table}_${thisMonth}`,
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
