import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import { askRefund, givenDispute, refundElsewhere } from '../../../test/money-back.ts';
import { operate } from '../../../test/operate.ts';
import type { OrderKey } from '../../../test/orders.ts';
import { givenOrderInPoints, givenTopUp, payWithPoints } from '../../../test/point-buying.ts';
import { dayIn, reconcileDay } from '../../../test/reconciling.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
let folder: string;
// The data lies partly in the previous and partly in the current month.
const thisMonth = new Date().toISOString().slice(0, 7);
const firstOfThis = new Date(`${thisMonth}-01T00:00:00Z`);
const lastMonth = new Date(firstOfThis.getTime() - 1).toISOString().slice(0, 7);
const lastDay = new Date(firstOfThis.getTime() - 1).toISOString().slice(0, 10);

beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  folder = await mkdtemp(join(tmpdir(), 'report-'));
  const stopWorker = shop.startWorker();
  await live(await givenBuyer(shop));
  // A running worker would compare the days that the tests leave uncompared.
  await stopWorker();
});
afterAll(async () => {
  await shop?.closeAll();
  await rm(folder, { recursive: true });
});

async function buyPack(buyer: Buyer): Promise<OrderKey> {
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order;
}

/** Creates every kind of ledger row, with the first sale moved to the previous month. */
async function live(buyer: Buyer): Promise<void> {
  const first = await buyPack(buyer);
  await givenTopUp(shop, buyer);
  const inPoints = await givenOrderInPoints(shop, buyer);
  await payWithPoints(shop, buyer, inPoints);
  await untilShown(shop, buyer, inPoints, 'Fulfilled');
  const refunded = await buyPack(buyer);
  await askRefund(shop, refunded);
  await untilShown(shop, buyer, refunded, 'Refunded');
  const elsewhere = await buyPack(buyer);
  await refundElsewhere(shop, elsewhere);
  await untilShown(shop, buyer, elsewhere, 'Refunded');
  const lost = await buyPack(buyer);
  const dispute = await givenDispute(shop, lost);
  await dispute.move('lost');
  await untilShown(shop, buyer, lost, 'Refunded');
  await buyPack(buyer);
  const payout = await shop.stripe.tell('/__sandbox/payouts', { currency: 'USD', amount: 700 });
  await shop.stripe.tell('/__sandbox/payouts', { currency: 'USD', amount: 300 });
  const { id } = z.object({ id: z.string() }).parse(payout);
  await shop.stripe.tell(`/__sandbox/payouts/${id}/return`, {});
  await reconcileDay(shop, 'stripe', dayIn(-24));
  await reconcileDay(shop, 'stripe', dayIn(0));
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update ledger_transfers set created_at = ${firstOfThis}::timestamptz - interval '1 second'
      where origin_id = ${first.paymentId}`);
    await tx.run(sql`
      update house_transfers set day = ${lastDay}
      where line_id = (select min(line_id) from house_transfers where debit_book = 'house:fees')`);
  });
}

type Line = Record<string, string>;

/** Splits the CSV naively, because none of its cells contains a comma. */
function linesOf(text: string): Line[] {
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

async function report(month: string) {
  const at = join(folder, month);
  const { status, out, complaint } = await operate(shop, [
    ...['report', '--month', month, '--folder', at],
  ]);
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' });
  const read = async (name: string) => linesOf(await readFile(join(at, `${name}.csv`), 'utf8'));
  return {
    said: z
      .object({ status: z.string(), reasons: z.array(z.string()), files: z.array(z.string()) })
      .parse(JSON.parse(out)),
    about: await readFile(join(at, 'about.csv'), 'utf8'),
    trial: await read('trial-balance'),
    balances: await read('provider-balances'),
    revenue: await read('revenue'),
    refunds: await read('refunds'),
    fees: await read('fees'),
    payouts: await read('payouts'),
    points: await read('points-liability'),
  };
}

const Row = z.object({
  origin: z.string(),
  posting: z.string(),
  debit: z.string(),
  credit: z.string(),
  unit: z.string(),
  amount: z.bigint(),
  month: z.string(),
  psp: z.string().nullable(),
});
type Row = z.output<typeof Row>;

/** Every row of all ledgers. */
const allRows = () =>
  shop.db.many(
    Row,
    sql`
      select origin_id::text as origin, posting, debit_book as debit, credit_book as credit, unit,
             amount_minor as amount, psp,
             to_char(created_at at time zone 'UTC', 'YYYY-MM') as month from ledger_transfers
      union all
      select '', line_id, debit_book, credit_book, unit, amount_minor, psp,
             to_char(day, 'YYYY-MM') from house_transfers
      union all
      select origin_id::text, step::text, case when change_minor > 0 then 'house:sales' else 'house:deferred' end,
             case when change_minor > 0 then 'house:deferred' else 'house:sales' end, currency,
             abs(change_minor), null, to_char(created_at at time zone 'UTC', 'YYYY-MM')
      from deferrals where change_minor <> 0`,
  );

const sum = (rows: readonly Row[]) => rows.reduce((total, { amount }) => total + amount, 0n);

test.each([lastMonth, thisMonth])(
  'the trial balance of %s in the accounting report equals its ledger rows, and each currency and the points sum to zero',
  async (month) => {
    const { trial } = await report(month);
    const rows = await allRows();
    const books = new Map<string, Row[]>();
    for (const row of rows.filter((row) => row.month <= month)) {
      for (const book of [row.debit, row.credit]) {
        const key = `${row.unit} ${book}`;
        books.set(key, [...(books.get(key) ?? []), row]);
      }
    }
    expect(trial.map(({ unit, book }) => `${unit} ${book}`).sort()).toEqual(
      [...books.keys()].sort(),
    );
    for (const { unit, book, start_minor, debit_minor, credit_minor, end_minor } of trial) {
      const own = books.get(`${unit} ${book}`) ?? [];
      const debits = own.filter(({ debit }) => debit === book);
      const credits = own.filter(({ credit }) => credit === book);
      const before = (some: Row[]) => sum(some.filter((row) => row.month < month));
      const within = (some: Row[]) => sum(some.filter((row) => row.month === month));
      const expected = [
        ...[before(debits) - before(credits), within(debits), within(credits)],
        sum(debits) - sum(credits),
      ];
      expect(
        [start_minor, debit_minor, credit_minor, end_minor].map((cell) => BigInt(cell ?? '')),
      ).toEqual(expected);
    }
    for (const unit of new Set(trial.map((line) => line.unit))) {
      for (const column of ['start_minor', 'end_minor']) {
        const cells = trial.filter((line) => line.unit === unit).map((line) => line[column] ?? '');
        expect(cells.reduce((total, cell) => total + BigInt(cell), 0n)).toBe(0n);
      }
    }
  },
);

test('the accounting report of a month starts with the closing balances of the previous month', async () => {
  const [before, after] = [await report(lastMonth), await report(thisMonth)];
  expect(before.trial.length).toBeGreaterThan(2);
  for (const { unit, book, end, end_minor } of before.trial) {
    const next = after.trial.find((line) => line.unit === unit && line.book === book);
    expect([next?.start, next?.start_minor]).toEqual([end, end_minor]);
  }
});

test('the accounting report lists revenue by site, order kind and currency, net of reversals and deferrals', async () => {
  const { revenue, trial } = await report(thisMonth);
  const told = revenue.map((line) => [
    ...[line.site, line.kind, line.currency, line.sold_minor, line.reversed_minor],
    ...[line.deferred_minor, line.revenue],
  ]);
  // Four packs were sold this month and three of them refunded; the first was sold a month ago. Of
  // 500 bought points 475 were spent, after the 25 gift points.
  expect(told).toEqual([
    ['solmere', 'item', 'EPOINT', '500', '0', '0', '500'],
    ['solmere', 'item', 'USD', '1996', '1497', '0', '4.99'],
    ['solmere', 'points', 'USD', '499', '0', '25', '4.74'],
  ]);
  expect((await report(lastMonth)).revenue).toMatchObject([
    { month: lastMonth, time_zone: 'UTC', kind: 'item', currency: 'USD', revenue_minor: '499' },
  ]);
  // The reported revenue equals the movement of the sales book.
  const sales = trial.find(({ unit, book }) => unit === 'USD' && book === 'house:sales');
  const moved = BigInt(sales?.credit_minor ?? '') - BigInt(sales?.debit_minor ?? '');
  expect(moved).toBe(499n + 474n);
  expect(trial.find(({ book }) => book === 'house:deferred')).toMatchObject({ end: '-0.25' });
});

test('the accounting report lists refunds by reason and merchant account, including chargebacks', async () => {
  const { refunds } = await report(thisMonth);
  expect(
    refunds.map(({ reason, contract, currency, gone_minor, gone }) => [
      ...[reason, contract, currency, gone_minor, gone],
    ]),
  ).toEqual([
    ['chargeback', 'stripe', 'USD', '499', '4.99'],
    ['elsewhere', 'stripe', 'USD', '499', '4.99'],
    ['operator', 'stripe', 'USD', '499', '4.99'],
  ]);
});

test('the accounting report lists provider fees and payouts by settlement day, with one line per payout', async () => {
  const [before, { fees, payouts }] = [await report(lastMonth), await report(thisMonth)];
  // Each of the payments cost 44, and the first fee belongs to the previous month.
  expect(before.fees).toMatchObject([{ contract: 'stripe', book: 'house:fees', cost_minor: '44' }]);
  expect(fees.map(({ contract, book, cost }) => [contract, book, cost])).toEqual([
    ['stripe', 'house:chargeback_fees', '15.00'],
    ['stripe', 'house:fees', '2.20'],
  ]);
  expect(payouts.map(({ paid_out_minor }) => paid_out_minor).sort()).toEqual([
    '-700',
    '300',
    '700',
  ]);
  expect(payouts[0]).toMatchObject({ contract: 'stripe', currency: 'USD', status: 'preliminary' });
});

test('the balance with a provider in the accounting report equals the balance that the provider reports', async () => {
  const { balances } = await report(thisMonth);
  const told = z
    .object({ balances: z.object({ USD: z.int() }) })
    .parse(await shop.stripe.ask('/__sandbox/balance'));
  expect(balances).toMatchObject([
    { contract: 'stripe', currency: 'USD', end_minor: String(told.balances.USD) },
  ]);
});

test('the point liability in the accounting report equals the wallet balances of bought and of gift points', async () => {
  const { points } = await report(thisMonth);
  const wallets = await shop.db.one(
    z.object({ basic: z.string(), present: z.string() }),
    sql`select sum(basic)::text as basic, sum(present)::text as present from wallets`,
  );
  expect(points.map(({ bucket, end }) => [bucket, end])).toEqual([
    ['basic', wallets.basic],
    ['present', wallets.present],
  ]);
  expect(points.map(({ start, came }) => [start, came])).toEqual([
    ['0', '500'],
    ['0', '25'],
  ]);
});

test('an accounting report says why it is preliminary until its month is over and all its settlement days are compared', async () => {
  const { said, about } = await report(thisMonth);
  expect(said.status).toBe('preliminary');
  expect(said.reasons).toContain('the month is not over');
  expect(about).toContain('time zone,UTC\r\n');
  expect(about).toContain('because,the month is not over\r\n');

  expect((await report(lastMonth)).said).toMatchObject({ status: 'final', reasons: [] });
  await shop.db.transaction((tx) =>
    tx.run(sql`insert into settlement_days (psp, day) values ('stripe', ${lastDay})
               on conflict (psp, day) do update set compared_at = null`),
  );
  expect((await report(lastMonth)).said).toMatchObject({
    status: 'preliminary',
    reasons: [`${lastDay} is not compared with stripe`],
  });
  await shop.db.transaction((tx) =>
    tx.run(sql`update settlement_days set compared_at = now() where day = ${lastDay}`),
  );
  expect((await report(lastMonth)).said.status).toBe('final');
});

test('the accounting report command refuses a missing or malformed month', async () => {
  const refusal = (complaint: string) => ({ status: 1, out: '', complaint: `${complaint}\n` });
  expect(await operate(shop, ['report'])).toEqual(refusal('--month is missing'));
  expect(await operate(shop, ['report', '--month', 'March'])).toEqual(
    refusal('March is no month as 2025-01 is'),
  );
});
