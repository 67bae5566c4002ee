import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveNow, restoreNow } from '../../server/test/archiving.ts';
import { givenMonth, givenOldOrder } from '../../server/test/old-month.ts';
import { openScratch, type Scratch } from '../../server/test/scratch.ts';
import { type Audit, auditDatabase } from './audit-database.ts';

let scratch: Scratch;
let folder: string;
let order: { accountId: string; paymentId: string };
beforeEach(async () => {
  [scratch, folder] = await Promise.all([openScratch(), mkdtemp(join(tmpdir(), 'audited-'))]);
  await givenMonth(scratch, '2025-01');
  await givenMonth(scratch, '2025-02');
  order = await givenOldOrder(scratch, '2025-01');
  await givenOldOrder(scratch, '2025-02');
});
afterEach(async () => {
  await scratch.close();
  await rm(folder, { recursive: true });
});

const run = (statement: string, values: unknown[] = []) =>
  scratch.executor.executeSql(statement, values);
const audit = (months?: string[]) =>
  auditDatabase({ databaseUrl: scratch.url, ...(months === undefined ? {} : { months }) });
const linesOf = ({ findings }: Audit) =>
  findings.flatMap(({ id, violations }) => violations.map((text) => `${id} ${text}`));
const stateOf = ({ months }: Audit, month: string) => months.find((one) => one.month === month);

/** Changes rows past the triggers, as the owner of the tables can. */
const forge = (statement: string) =>
  run(`set session_replication_role = replica; ${statement}; reset session_replication_role`);

test('an audit finds no violations in an archived month and audits the month again once it is restored', async () => {
  const before = await audit(['2025-01']);
  expect(stateOf(before, '2025-01')).toEqual({ month: '2025-01', state: 'present', orders: 1 });
  // These orders have one row per table and no consistent history, so the audit reports violations.
  expect(linesOf(before)).not.toEqual([]);

  await archiveNow(scratch, '2025-01', folder);
  const archived = await audit(['2025-01']);
  expect(stateOf(archived, '2025-01')).toEqual({ month: '2025-01', state: 'archived', orders: 0 });
  expect(linesOf(archived)).toEqual([]);
  expect((await audit(['2025-02'])).months).toMatchObject([{ state: 'present', orders: 1 }]);

  await restoreNow(scratch, '2025-01', folder);
  expect(linesOf(await audit(['2025-01']))).toEqual(linesOf(before));
});

test.each([
  [
    'was added after archiving',
    (paymentId: string) => `
      insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
      select account_id, origin_id, 'sale:3', 'player:deposit', 'house:sales', 'USD', 499
      from ledger_transfers where origin_id = '${paymentId}'`,
    [
      /^I1 the ledger of 2025-01 has 2 transfers besides those of points, .*: 1$/,
      /^I1 transfer sale:3 of \S+ came after 2025-01 was archived$/,
    ],
  ],
  [
    'was deleted',
    (paymentId: string) => `delete from ledger_transfers where origin_id = '${paymentId}'`,
    [/^I1 the ledger of 2025-01 has 0 transfers besides those of points, .*: 1$/],
  ],
  [
    'was changed in amount',
    (paymentId: string) =>
      `update ledger_transfers set amount_minor = 500 where origin_id = '${paymentId}'`,
    [/^I1 the ledger of 2025-01 has 1 transfers besides those of points, .*: 1$/],
  ],
  [
    'moves points without a statement entry',
    (paymentId: string) => `
      insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
      select account_id, origin_id, 'bonus:basic', 'house:points', 'player:basic', 'EPOINT', 70
      from ledger_transfers where origin_id = '${paymentId}'`,
    [/^I1 transfer bonus:basic of \S+ moves 70 EPOINT between player:basic and house:points/],
  ],
])(
  'an audit finds that a ledger transfer of an archived month %s',
  async (_what, statement, told) => {
    await archiveNow(scratch, '2025-01', folder);
    await forge(statement(order.paymentId));
    expect(linesOf(await audit(['2025-01']))).toEqual(
      told.map((line) => expect.stringMatching(line)),
    );
  },
);

test('an audit reports that the shop still stores the client order id of an order in an archived month', async () => {
  await archiveNow(scratch, '2025-01', folder);
  await forge(`
    insert into order_keys (account_id, client_order_id, payment_id, body_hash)
    values ('${order.accountId}', gen_random_uuid(), '${order.paymentId}', sha256('x'))`);
  expect(linesOf(await audit(['2025-01']))).toEqual([
    `I10 an intent of account ${order.accountId} is for ${order.paymentId}, which is no order of theirs`,
  ]);
});

test('an audit finds a month whose orders are missing although it was never archived', async () => {
  await forge(`
    alter table orders detach partition orders_2025_01;
    alter table order_events detach partition order_events_2025_01;
    alter table payment_attempts detach partition payment_attempts_2025_01`);
  expect(linesOf(await audit(['2025-01']))).toContainEqual(
    expect.stringMatching(
      /^I1 transfer captured:pi_1 of account \S+ is for \S+, which is no order/,
    ),
  );
});

test.each(['written', 'verified'])(
  'an audit accepts that rows of a month are partly removed while the archive of that month is in state %s',
  async (state) => {
    const before = await audit(['2025-01']);
    await run(
      `insert into archives (archive_id, month, state, folder, manifest_sha256, orders, archived_by)
     values (gen_random_uuid(), '2025-01-01', $1, '/srv', '', 1, 'ana')`,
      [state],
    );
    await forge('alter table order_events detach partition order_events_2025_01');
    const now = await audit(['2025-01']);
    expect(linesOf(before)).not.toEqual([]);
    expect(linesOf(now)).toEqual([]);
    expect(stateOf(now, '2025-01')).toMatchObject({ state: 'moving' });
  },
);

test('an audit reports a settlement line whose order is unknown, but not one whose order is archived', async () => {
  await archiveNow(scratch, '2025-01', folder);
  await run(`
    insert into settlement_days (psp, day, imported_at, compared_at)
    values ('stripe', '2025-02-01', '2025-02-03', now())`);
  const line = (id: string, capture: string) =>
    run(`
      insert into settlement_lines (psp, line_id, day, kind, subject_id, capture_id, currency, amount_minor, at)
      values ('stripe', '${id}', '2025-02-01', 'capture', '${capture}', '${capture}', 'USD', 499, now())`);
  await run(`delete from payment_attempts where payment_id >= uuid_v7_floor('2025-02-01')`);
  await line('late', 'pi_1');
  const found = async () =>
    linesOf(await audit(['2025-02'])).filter((text) => text.startsWith('I14'));
  expect(await found()).toEqual([]);
  await line('strange', 'pi_nobody');
  expect(await found()).toEqual([
    "I14 the provider's books have 499 USD of pi_nobody, which is not ours",
  ]);
});

test('an audit does not compare an order with settlement days that are archived', async () => {
  await forge(`
    update payment_attempts set capture_id = 'pi_1' where payment_id = '${order.paymentId}';
    update ledger_transfers set created_at = '2025-02-05' where origin_id = '${order.paymentId}'`);
  await run(`
    insert into settlement_days (psp, day, imported_at, compared_at)
    select 'stripe', day, now() - interval '1 day', now()
    from unnest(array['2025-02-05', '2025-02-06']::date[]) as day`);
  const found = async () =>
    linesOf(await audit(['2025-01'])).filter((text) => text.startsWith('I14'));
  expect(await found()).toEqual([
    `I14 order ${order.paymentId}: the provider's books say 0 USD of capture, ours 499`,
  ]);
  await archiveNow(scratch, '2025-02', folder);
  expect(await found()).toEqual([]);
});

test('the rows that an audit holds in memory depend on the batch size, not on the number of orders', async () => {
  for (let made = 0; made < 30; made += 1) await givenOldOrder(scratch, '2025-02');
  const heldOf = async (rowsPerBatch: number) => {
    const { rowsHeldMax, months } = await auditDatabase({
      databaseUrl: scratch.url,
      months: ['2025-02'],
      rowsPerBatch,
    });
    expect(months).toEqual([{ month: '2025-02', state: 'present', orders: 31 }]);
    return rowsHeldMax;
  };
  const [one, three, all] = [await heldOf(1), await heldOf(3), await heldOf(5_000)];
  expect(three).toBe(3 * one);
  expect(all).toBe(31 * one);
});

test('an audit of a month that the shop does not have is rejected', async () => {
  await expect(audit(['1999-12'])).rejects.toThrow('the shop has no month 1999-12');
});
