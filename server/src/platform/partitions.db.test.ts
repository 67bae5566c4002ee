import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { migratedAt, openScratch, type Scratch } from '../../test/scratch.ts';
import { openSession } from './connections.ts';
import { sql } from './db.ts';
import { newId } from './ids.ts';
import { log } from './log.ts';
import { ensurePartitions } from './partitions.ts';

let scratch: Scratch;
/** When the partitions were created; their first month is the current month of this test. */
let made: Date;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
  made = await migratedAt(scratch, '0040_months_by_themselves.online.sql');
});
afterAll(() => scratch.close());

const partitioned = [
  'deliveries',
  'ledger_transfers',
  'order_events',
  'orders',
  'payment_attempts',
  'purchase_holds',
  'refunds',
  'revocations',
];
const At = z.object({ at: z.string() });

const monthOf = (from: Date, ahead: number, day = 1) =>
  Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + ahead, day);

/** As in the names of partitions. */
function monthName(ahead: number, from = made): string {
  return new Date(monthOf(from, ahead)).toISOString().slice(0, 7).replace('-', '_');
}

async function tablesOf(parent: string, of: Scratch = scratch): Promise<string[]> {
  const rows = await of.db.many(
    At,
    sql`select inhrelid::regclass::text as at from pg_inherits
        where inhparent = ${parent}::regclass order by 1`,
  );
  return rows.map(({ at }) => at);
}

/**
 * Inserts an order and an event with an id of that moment; returns the partitions of both rows.
 */
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
  return { ...key, ...(await placeOf(key, of)) };
}

async function placeOf({ paymentId }: { paymentId: string }, of: Scratch) {
  const order = await of.db.one(
    At,
    sql`select tableoid::regclass::text as at from orders where payment_id = ${paymentId}`,
  );
  const event = await of.db.one(
    At,
    sql`select tableoid::regclass::text as at from order_events where payment_id = ${paymentId}`,
  );
  return { order: order.at, event: event.at };
}

describe('monthly partitions', () => {
  test('the database view monthly_tables lists exactly the tables that are partitioned by month', async () => {
    const rows = await scratch.db.many(
      At,
      sql`select name as at from monthly_tables order by name`,
    );
    expect(rows.map(({ at }) => at)).toEqual(partitioned);
  });

  test.each(partitioned)(
    'the table %s has a partition for this month and each of the next three',
    async (parent) => {
      const months = [0, 1, 2, 3].map((ahead) => `${parent}_${monthName(ahead)}`);
      expect(await tablesOf(parent)).toEqual(months);
    },
  );

  test('an order of this month and its recorded events are stored in the database partitions of this month', async () => {
    expect(await givenOrderAt(made.getTime())).toMatchObject({
      order: `orders_${monthName(0)}`,
      event: `order_events_${monthName(0)}`,
    });
  });

  test('an order of a month without partitions is refused', async () => {
    await expect(givenOrderAt(Date.UTC(2019, 4, 1))).rejects.toThrow('no partition of relation');
  });

  test('a monthly database partition begins with the first millisecond of its month and ends before the next month', async () => {
    const begins = monthOf(made, 1);
    expect((await givenOrderAt(begins)).order).toBe(`orders_${monthName(1)}`);
    expect((await givenOrderAt(begins - 1)).order).toBe(`orders_${monthName(0)}`);
  });

  test.each([
    'order_events',
    'payment_attempts',
    'deliveries',
    'refunds',
    'revocations',
    'purchase_holds',
  ])(
    'each partition of %s has a foreign key to the orders partition of its month',
    async (table) => {
      const rows = await scratch.db.many(
        At,
        sql`
        select conrelid::regclass || ' to ' || confrelid::regclass as at from pg_constraint
        where contype = 'f' and convalidated and conname = 'is_of_an_order'
          and conrelid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass)
        order by 1`,
      );
      expect(rows.map(({ at }) => at)).toEqual(
        [0, 1, 2, 3].map((ahead) => `${table}_${monthName(ahead)} to orders_${monthName(ahead)}`),
      );
    },
  );
});

describe('creation of partitions', () => {
  // Slows the creation of a table, so that the concurrent workers overlap.
  const slowTables = `
    create function take_long() returns event_trigger language plpgsql
      as 'begin perform pg_sleep(0.2); end';
    create event trigger slow_tables on ddl_command_end when tag in ('CREATE TABLE')
      execute function take_long();`;

  test('concurrent workers create only the monthly partitions that are missing', async () => {
    // Needed if a month has begun since the partitions were created.
    await ensurePartitions(scratch.db);
    const before = await Promise.all(partitioned.map((name) => tablesOf(name)));
    const missing = `ledger_transfers_${monthName(2)}`;
    await scratch.executor.executeSql(`drop table ${missing}`);
    await scratch.executor.executeSql(slowTables);
    await Promise.all([1, 2, 3].map(() => ensurePartitions(scratch.db)));
    await scratch.executor.executeSql('drop event trigger slow_tables');
    expect(before.flat()).toContain(missing);
    expect(await Promise.all(partitioned.map((name) => tablesOf(name)))).toEqual(before);
  });

  test('the database partitions of a month can be created while other sessions read and write their tables', async () => {
    const late = await openScratch();
    const last = monthName(3);
    for (const parent of partitioned.toReversed()) {
      await late.executor.executeSql(`drop table ${parent}_${last} cascade`);
    }
    const [reader, writer] = [
      await openSession({ url: late.url, applicationName: 'test' }),
      await openSession({ url: late.url, applicationName: 'test' }),
    ];
    await reader.execute(`begin; ${partitioned.map((table) => `select from ${table}`).join('; ')}`);
    await writer.execute(`begin; lock table ${partitioned.join(', ')} in row exclusive mode`);

    await ensurePartitions(late.db);

    expect((await givenOrderAt(monthOf(made, 3, 2), late)).order).toBe(`orders_${last}`);
    await Promise.all([reader.close(), writer.close()]);
    await late.close();
  });
});

describe('default partitions', () => {
  test('rows in the default partition of a monthly database table are moved to a partition of their own month', async () => {
    const old = await openScratch();
    const defaults = partitioned.map(
      (name) => `create table ${name}_default partition of ${name} default`,
    );
    await old.executor.executeSql(defaults.join(';'));
    const key = await givenOrderAt(Date.UTC(2019, 4, 1), old);
    expect([key.order, key.event]).toEqual(['orders_default', 'order_events_default']);

    await old.executor.executeSql('select give_up_default_partitions()');

    expect(await placeOf(key, old)).toEqual({
      order: 'orders_2019_05',
      event: 'order_events_2019_05',
    });
    expect(await tablesOf('orders', old)).not.toContain('orders_default');
    await old.close();
  });
});

describe('append-only tables', () => {
  // This partition exists even if a month has begun since the partitions were created.
  const nextMonth = monthName(1, new Date());
  const changes = (table: string) => [
    `update ${table} set account_id = account_id`,
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table}_${nextMonth}`,
  ];

  test.each(['order_events', 'ledger_transfers'].flatMap(changes))(
    'an append-only database table refuses the statement: %s',
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
