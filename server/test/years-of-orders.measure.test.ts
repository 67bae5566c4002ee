import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type DbOptions, openRawExecutor, sql } from '../src/platform/db.ts';
import { queueReconciliation } from '../src/reconciliation/reconciliation.ts';
import { dayIn, settlementCases } from './reconciling.ts';
import { openTestShop, type TestShop } from './shop.ts';

// How long a provider's day takes to compare. The size that is promised:
// DAY_ORDERS=100000 ALL_ORDERS=10000000 npm run measure reconciliation

const dayOrders = Number(process.env.DAY_ORDERS || 10_000);
const allOrders = Number(process.env.ALL_ORDERS || 240_000);
const months = 24;
const secondsMax = 60;
const growthMbMax = 500;
const psp = 'stripe';

let shop: TestShop;
beforeAll(
  async () => {
    shop = await openTestShop({ LOG_LEVEL: 'silent', PAYMENT_CHECK_SECONDS: '3600' });
    await givenPastMonths();
    for (const daysAgo of [2, 3]) await givenDay(dayIn(-24 * daysAgo));
    await execute('analyze');
  },
  4 * 60 * 60_000,
);
afterAll(() => shop.closeAll());

test('a large day among years of orders is compared in a minute, and one wrong cent is found', async () => {
  const day = dayIn(-48);
  await execute(`
    update settlement_lines set amount_minor = amount_minor + 1
    where psp = '${psp}' and line_id = (select min(line_id) from settlement_lines where day = '${day}')`);
  await queueReconciliation(shop.payments, { psp, day });
  const before = process.memoryUsage().rss;
  let growthMb = 0;
  const begun = performance.now();
  shop.startWorker();
  await expect
    .poll(
      async () => {
        growthMb = Math.max(growthMb, (process.memoryUsage().rss - before) / 2 ** 20);
        return await isCompared(day);
      },
      { timeout: 30 * 60_000, interval: 100 },
    )
    .toBe(true);
  const seconds = (performance.now() - begun) / 1000;
  process.stdout.write(
    `${dayOrders} orders of a day among ${allOrders}: compared in ${seconds.toFixed(1)} s, ` +
      `the process grew by ${growthMb.toFixed(0)} MB\n`,
  );
  const cases = await settlementCases(shop);
  expect(cases.map(({ details }) => [details.theirs, details.ours])).toEqual([['500', '499']]);
  expect(seconds).toBeLessThan(secondsMax);
  expect(growthMb).toBeLessThan(growthMbMax);
});

async function isCompared(day: string): Promise<boolean> {
  const { is_compared } = await shop.db.one(
    z.object({ is_compared: z.boolean() }),
    sql`
      select compared_at is not null as is_compared from settlement_days
      where psp = ${psp} and day = ${day}`,
  );
  return is_compared;
}

async function givenPastMonths(): Promise<void> {
  await execute(`
    insert into accounts (id, account_type, display_name)
    select uuidv7(), 'ACCOUNT', 'many-' || number from generate_series(1, ${Math.ceil(allOrders / 40)}) as number`);
  for (let ago = 1; ago <= months; ago += 1) {
    const begins = `month_after(date_trunc('month', now(), 'UTC'), -${ago})`;
    await execute(`select make_month(${begins})`);
    await givenOrders({
      begins,
      ends: `month_after(${begins})`,
      count: Math.ceil(allOrders / months),
    });
  }
}

/** A day that both sides saw alike, as it is when its file has been read. */
async function givenDay(day: string): Promise<void> {
  const begins = `'${day}T00:00:00Z'::timestamptz`;
  await givenOrders({ begins, ends: `(${begins} + interval '1 day')`, count: dayOrders });
  await execute(`
    insert into settlement_days (psp, day, imported_at, compared_at) values ('${psp}', '${day}', now(), now());
    insert into settlement_lines (psp, line_id, day, kind, subject_id, capture_id, currency, amount_minor, at)
    select '${psp}', 'txn_' || capture_id, '${day}', 'capture', capture_id, capture_id, 'USD', 499, created_at
    from payment_attempts where created_at >= ${begins} and created_at < ${begins} + interval '1 day'`);
}

/** Paid by card and delivered, one after the other. */
async function givenOrders({
  begins,
  ends,
  count,
}: {
  begins: string;
  ends: string;
  count: number;
}) {
  await execute(`
    set session_replication_role = replica;
    create temp table owners on commit drop as
      select id as account_id, row_number() over () - 1 as number from accounts where display_name like 'many-%';
    create temp table placed on commit drop as
      select account_id, uuidv7(at - now()) as payment_id, uuidv7(at - now()) as attempt_id, at
      from generate_series(0, ${count - 1}) as numbers (number)
      cross join lateral (select ${begins} + (${ends} - ${begins}) * (numbers.number + 0.5) / ${count} as at) as moments
      join owners on owners.number = (numbers.number * 7919::bigint) % (select count(*) from owners);
    insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id, game_account_id,
      item_id, pack_count, order_type, method, system, currency, amount_minor, snapshot, state,
      created_at, expire_at, paid_at, arrived_at)
    select account_id, payment_id, 'solmere', 'solmere', 's12', 'r1', 'ga', 'shards_300', 1, 'foreign', 'card',
      'ios', 'USD', 499, '{}', 'arrived', at, at + interval '30 minutes', at, at from placed;
    insert into payment_attempts (account_id, payment_id, attempt_id, psp, state, currency, amount_minor,
      psp_ref, capture_id, locale, created_at, expires_at, next_check_at)
    select account_id, payment_id, attempt_id, '${psp}', 'captured', 'USD', 499, 'cs_' || attempt_id,
      'pi_' || attempt_id, 'en-US', at, at, at from placed;
    insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book, unit,
      amount_minor, created_at)
    select account_id, payment_id, 'captured:pi_' || attempt_id, 'house:psp', 'player:deposit', 'USD', 499, at
      from placed
    union all select account_id, payment_id, 'sale:3', 'player:deposit', 'house:sales', 'USD', 499, at from placed`);
}

async function execute(text: string): Promise<void> {
  const options: DbOptions = {
    url: shop.databaseUrl,
    connectionsMax: 1,
    applicationName: 'test',
    waitSeconds: 3_600,
  };
  const executor = openRawExecutor(options);
  await executor.executeSql(text);
  await executor.close();
}
