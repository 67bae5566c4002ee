import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { openSession, type Session } from './connections.ts';
import { betweenSteps, letsEverybodyPass, statementsOf } from './migrations.ts';

// Runs every migration once on an empty database and asks PostgreSQL for its effect on existing
// tables: rewriting a large table, or scanning it under a lock that blocks writes, would stop a
// shop with years of orders.

const folder = new URL('../../migrations/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();

/**
 * Tables of at most some thousand rows: entered or loaded by operators, or living for two minutes.
 */
const smallTables = [
  'arrival_tickets',
  'bulletins',
  'content_versions',
  'coupon_templates',
  'game_servers',
  'games',
  'gift_rules',
  'item_groups',
  'item_prices',
  'items',
  'method_switches',
  'page_versions',
  'point_pack_prices',
  'point_packs',
  'price_rules',
  'rebate_campaigns',
  'redeem_batches',
  'settlement_days',
  'sites',
];

// These files ran before any shop had rows in the tables; no shop existed before 0035.
const beforeTheFirstShop: Readonly<Record<string, readonly string[]>> = {
  '0007_money_back.sql': [
    'deliveries is read while nobody may write to it',
    'ledger_transfers is read while nobody may write to it',
    'orders is read while nobody may write to it',
    'payment_attempts is read while nobody may write to it',
  ],
  '0011_people.sql': ['orders is read while nobody may write to it'],
  '0014_blind_identities.sql': ['identities is read while nobody may write to it'],
  '0015_person_limits.sql': ['person_audits is read while nobody may write to it'],
  '0016_session_game_accounts.sql': ['sessions is read while nobody may write to it'],
  '0025_what_an_order_brings.sql': ['orders is written anew'],
  '0028_ways_to_pay.sql': ['payment_attempts is read while nobody may write to it'],
  '0033_rows_say_it_once.sql': [
    'order_events is read while nobody may write to it',
    'point_entries is read while nobody may write to it',
  ],
  '0034_rows_for_auditors.sql': [
    'ledger_transfers is written anew',
    'orders is written anew',
    'payment_attempts is written anew',
  ],
};

let database: TestDatabase;
let session: Session;
beforeAll(async () => {
  database = await createEmptyDatabase();
  session = await openSession({ url: database.url, applicationName: 'test' });
});
afterAll(async () => {
  await session.close();
  await database.drop();
});

const Tables = z.array(z.object({ name: z.string(), file: z.string() }));

async function tables(): Promise<Map<string, string>> {
  const { rows } = await session.execute(`
    select oid::regclass::text as name, relfilenode::text as file from pg_class
    where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'analytics')`);
  return new Map(Tables.parse(rows).map(({ name, file }) => [name, file]));
}

const Scans = z.array(z.object({ name: z.string(), count: z.coerce.number() }));

/** The number of scans of each table by this connection. */
async function scans(): Promise<Map<string, number>> {
  const { rows } = await session.execute(`
    select relid::regclass::text as name, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as count
    from pg_stat_xact_user_tables`);
  return new Map(Scans.parse(rows).map(({ name, count }) => [name, count]));
}

const Locks = z.array(z.object({ name: z.string() }));

const againstWriters = ['Share', 'ShareRowExclusive', 'Exclusive', 'AccessExclusive'];
const ofWriters = ['RowExclusive'];

/** The tables on which this transaction holds one of these locks. */
async function locked(modes: readonly string[]): Promise<Set<string>> {
  const { rows } = await session.execute(
    `select relation::regclass::text as name from pg_locks
     where pid = pg_backend_pid() and locktype = 'relation' and mode = any($1)`,
    [modes.map((mode) => `${mode}Lock`)],
  );
  return new Set(Locks.parse(rows).map(({ name }) => name));
}

/** Rewrites and blocking scans by a statement, of existing tables that may be large. */
async function complaintsAbout(statement: string): Promise<string[]> {
  const before = await tables();
  await session.execute('begin');
  const scansBefore = await scans();
  await session.execute(statement);
  const after = await tables();
  const scansAfter = await scans();
  const [kept, written] = [await locked(againstWriters), await locked(ofWriters)];
  await session.execute('commit');
  const wasRead = (name: string) => (scansAfter.get(name) ?? 0) > (scansBefore.get(name) ?? 0);
  return [...before].flatMap(([name, file]) => {
    const table = name.replace(/_(default|\d{4}_\d{2})$/, '');
    if (!after.has(name) || smallTables.includes(table)) return [];
    if (after.get(name) !== file) return [`${table} is written anew`];
    if (!wasRead(name)) return [];
    if (kept.has(name)) return [`${table} is read while nobody may write to it`];
    // A scan without a blocking lock, such as validating a constraint, is harmless.
    return written.has(name) ? [`${table} ${isGoneThrough}`] : [];
  });
}

const isGoneThrough = 'is gone through in one transaction';

/** A batch has to say how many rows it changes, because the check cannot see it on empty tables. */
async function complaintsAboutBatch(text: string): Promise<string[]> {
  const complaints = await complaintsAbout(text);
  return /\blimit \d+\b/i.test(text)
    ? complaints.filter((complaint) => !complaint.endsWith(isGoneThrough))
    : complaints;
}

async function complaintsAboutFile(name: string, text: string): Promise<string[]> {
  if (name.endsWith('.batch.sql')) return await complaintsAboutBatch(text);
  if (!name.endsWith('.online.sql')) return await complaintsAbout(text);
  const complaints: string[] = [];
  for (const step of text.split(betweenSteps)) {
    for (const statement of await statementsOf(session, step)) {
      if (letsEverybodyPass(statement)) await session.execute(statement);
      else complaints.push(...(await complaintsAbout(statement)));
    }
  }
  return complaints;
}

const unique = (complaints: readonly string[]) => [...new Set(complaints)].toSorted();

test.each(names)(
  'the migration %s does not rewrite large tables or scan them under a lock',
  async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const complaints = unique(await complaintsAboutFile(name, text));
    expect(complaints).toEqual(beforeTheFirstShop[name] ?? []);
  },
);

test.each([
  ['alter table orders add column note uuid default gen_random_uuid()', 'orders is written anew'],
  ['alter table provider_inbox alter column rounds type bigint', 'provider_inbox is written anew'],
  [
    'alter table orders add constraint c check (pack_count > 0)',
    'orders is read while nobody may write to it',
  ],
  [
    'alter table provider_inbox alter column outcome set not null',
    'provider_inbox is read while nobody may write to it',
  ],
  [
    'create index on ledger_transfers (amount_minor)',
    'ledger_transfers is read while nobody may write to it',
  ],
  ['update orders set pack_count = 1', 'orders is gone through in one transaction'],
])(
  'the check of migrations for dangerous database locks reports a statement that would stop the shop: %s',
  async (statement, complaint) => {
    expect(await complaintsAboutFile('new.sql', statement)).toContain(complaint);
  },
);

test.each([
  'alter table orders add column remark text default $$none$$',
  'alter table orders add constraint d check (pack_count > 0) not valid',
  'alter table orders validate constraint d',
  'alter table sites add column remark text not null default $$none$$',
  'create table remarks (id int primary key)',
])(
  'the check of migrations for dangerous database locks accepts a harmless statement: %s',
  async (statement) => {
    expect(await complaintsAboutFile('new.sql', statement)).toEqual([]);
  },
);

test('the check of migrations for dangerous database locks accepts an update of a large table only as a batch with a row limit', async () => {
  const all = 'update orders set paid_at = created_at where paid_at is null';
  expect(await complaintsAboutFile('new.batch.sql', all)).toContain(
    'orders is gone through in one transaction',
  );
  const some = `
    update orders set paid_at = created_at
    where payment_id in (select payment_id from orders where paid_at is null limit 1000)`;
  expect(await complaintsAboutFile('new.batch.sql', some)).toEqual([]);
  expect(await complaintsAboutFile('new.sql', some)).toContain(
    'orders is gone through in one transaction',
  );
});
