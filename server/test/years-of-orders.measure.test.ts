import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { contentsBefore } from '../../tools/old-orders/old-orders.ts';
import { queueReconciliation } from '../src/money/reconciliation/reconciliation.ts';
import { sql } from '../src/platform/db.ts';
import { migrate } from '../src/platform/migrations.ts';
import { sweepsOf } from '../src/wiring/work.ts';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from './buying.ts';
import { givenOrderInPoints, givenPoints, payWithPoints } from './point-buying.ts';
import { operateByProgram } from './processes.ts';
import { dayIn, settlementCases } from './reconciling.ts';
import { openTestShop, type TestShop } from './shop.ts';
import { givenDay, givenPastMonths, queryOf, type YearsOfOrders } from './years-of-orders.ts';

// The cost of years of orders for a shop. At full size it takes hours and 60 GB, so it is run with
// a database on disk: DATABASE_URL=… DAY_ORDERS=100000 ALL_ORDERS=10000000 npm run measure
// years-of-orders

const dayOrders = Number(process.env.DAY_ORDERS || 10_000);
const allOrders = Number(process.env.ALL_ORDERS || 240_000);
const reconciliationSecondsMax = 60;
const growthMbMax = 500;
const oftenMsMax = 1_000;
const slowerMsMax = 500;
const psp = 'stripe';
const months = 24;
const archived = 12;
const hoursMs = 4 * 60 * 60_000;
vi.setConfig({ testTimeout: hoursMs });

let shop: TestShop;
let buyer: Buyer;
let years: YearsOfOrders;
/** The past months, newest first. */
let past: string[];
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', PAYMENT_CHECK_SECONDS: '3600' });
  buyer = await givenBuyer(shop);
  const { paymentId } = await givenDeliveredOrder();
  years = { query: queryOf(shop.databaseUrl), psp, paymentId };
  const begun = performance.now();
  past = await givenPastMonths(years, { months, allOrders });
  for (const daysAgo of [2, 3]) await givenDay(years, dayIn(-24 * daysAgo), dayOrders);
  await years.query('analyze');
  say(`${allOrders} orders of ${months} months were made in ${secondsSince(begun)} s`);
}, hoursMs);
afterAll(() => shop.closeAll());

test('each frequent worker sweep takes at most a second over years of orders when nothing is due', async () => {
  const took: [name: string, everyMs: number, ms: number][] = [];
  for (const { name, everyMs, sweep } of sweepsOf(shop)) {
    const begun = performance.now();
    await sweep();
    took.push([name, everyMs, performance.now() - begun]);
  }
  for (const [name, everyMs, ms] of took.toSorted((one, other) => other[2] - one[2]).slice(0, 8)) {
    say(`${name}, every ${everyMs / 1000} s: ${ms.toFixed(0)} ms`);
  }
  const often = took.filter(([, everyMs]) => everyMs <= 60_000);
  expect(often.filter(([, , ms]) => ms > oftenMsMax)).toEqual([]);
});

test('a large database table can get a new column, a constraint and an index while players go on buying', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    '9001_note.sql': `alter table orders add column note text;
      alter table orders add constraint notes_are_short check (length(note) <= 200) not valid;`,
    '9002_note.online.sql': `alter table orders validate constraint notes_are_short;
-- next
-- for each partition of orders
create index concurrently {partition}_noted on {partition} (note) where note is not null;`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);

  await givenPoints(shop, buyer, { basic: 1_000_000_000n });
  const usual = await slowestUsualCall();
  const begun = performance.now();
  const slowest = await slowestCallDuring(() =>
    migrate(
      { url: shop.databaseUrl, applicationName: 'pointgate-migrate' },
      pathToFileURL(`${folder}/`),
    ),
  );
  say(
    `a column, its rule and an index on ${allOrders} orders in ${secondsSince(begun)} s; ` +
      `the slowest call took ${slowest.toFixed(0)} ms, as usual ${usual.toFixed(0)} ms`,
  );
  await years.query('select note from orders limit 0');
  expect(slowest - usual).toBeLessThan(slowerMsMax);
});

test('the settlement file of a busy day among years of orders is compared in a minute, and one wrong cent is found', async () => {
  const day = dayIn(-48);
  await years.query(
    `update settlement_lines set amount_minor = amount_minor + 1
     where psp = '${psp}' and line_id = (select min(line_id) from settlement_lines where day = '${day}')`,
  );
  await shop.db.transaction((tx) => queueReconciliation(tx, shop.payments, { psp, day }));
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
  const seconds = secondsSince(begun);
  say(
    `${dayOrders} orders of a day among ${allOrders}: compared in ${seconds} s, ` +
      `the process grew by ${growthMb.toFixed(0)} MB`,
  );
  const cases = await settlementCases(shop);
  expect(cases.map(({ details }) => [details.theirs, details.ours])).toEqual([['500', '499']]);
  expect(Number(seconds)).toBeLessThan(reconciliationSecondsMax);
  expect(growthMb).toBeLessThan(growthMbMax);
});

test('twelve months of orders are archived, restored and audited while players go on buying', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const old = past.slice(-archived).toReversed();
  const firstKept = past[months - archived - 1] ?? '';
  const before = await contentsBefore(years.query, firstKept);
  await givenPoints(shop, buyer, { basic: 1_000_000_000n });
  const usual = await slowestUsualCall();
  const slowestOf: Record<string, number> = {};
  for (const command of ['archive', 'restore']) {
    const begun = performance.now();
    const slowest = await slowestCallDuring(async () => {
      for (const month of old) await operate(command, month, '--folder', folder);
    });
    say(
      `${command} of ${archived} of ${months} months of ${allOrders} orders in ${secondsSince(begun)} s; ` +
        `the slowest call took ${slowest.toFixed(0)} ms, as usual ${usual.toFixed(0)} ms`,
    );
    slowestOf[command] = slowest - usual;
    const { orders } = await contentsBefore(years.query, firstKept);
    expect(orders?.rows).toBe(command === 'archive' ? '0' : before.orders?.rows);
    await audit(old);
  }
  expect(await contentsBefore(years.query, firstKept)).toEqual(before);
  expect(Object.entries(slowestOf).filter(([, ms]) => ms > slowerMsMax)).toEqual([]);
});

async function audit(asked: readonly string[]): Promise<void> {
  const begun = performance.now();
  const report = await operate('audit', ...asked.flatMap((month) => ['--month', month]));
  say(`${asked.length} months were audited in ${secondsSince(begun)} s:\n${report}`);
}

async function operate(...args: string[]): Promise<string> {
  const { status, out, complaint } = await operateByProgram(shop, [...args, '--by', 'measure']);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${complaint}${out}`);
  return out;
}

async function givenDeliveredOrder() {
  const stop = shop.startWorker();
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  await stop();
  return order;
}

const slowestUsualCall = () =>
  slowestCallDuring(() => new Promise((resolve) => setTimeout(resolve, 20_000)));

/**
 * The slowest call of a player who keeps placing orders, paying with points and viewing orders.
 */
async function slowestCallDuring(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let slowest = 0;
  const timed = async <T>(call: Promise<T>): Promise<T> => {
    const begun = performance.now();
    const answer = await call;
    slowest = Math.max(slowest, performance.now() - begun);
    return answer;
  };
  const buying = async () => {
    while (!isOver) {
      const order = await timed(givenOrderInPoints(shop, buyer));
      expect((await timed(payWithPoints(shop, buyer, order))).status).toBe(200);
      await timed(detailOf(shop, buyer, order));
    }
  };
  const bought = buying();
  await Promise.race([work(), bought]);
  isOver = true;
  await bought;
  return slowest;
}

async function isCompared(day: string): Promise<boolean> {
  const { is_compared } = await shop.db.one(
    z.object({ is_compared: z.boolean() }),
    sql`
      select compared_at is not null as is_compared from settlement_days
      where psp = ${psp} and day = ${day}`,
  );
  return is_compared;
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
