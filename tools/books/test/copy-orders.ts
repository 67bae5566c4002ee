import type pg from 'pg';
import { addRules, dropRules } from './table-rules.ts';

/** Orders, or a wallet with its orders, that are copied together. */
export interface CopiedScenario {
  /** Payment ids and account ids. */
  ids: readonly string[];
  /** The average number in each copy. */
  times: number;
  /** Whether all orders of a copy belong to one account, if they have no wallet. */
  isShared?: boolean;
}

/**
 * Copies the orders of a shop over a year. The originals were written by the shop and only ids and
 * times differ, so the copies are consistent if the originals are.
 */
export async function copyOrders(
  admin: pg.Client,
  { scenarios, copies }: { scenarios: readonly CopiedScenario[]; copies: number },
): Promise<void> {
  await admin.query(`set session_replication_role = replica; set work_mem = '256MB'`);
  await makeMonths(admin);
  await makeCopies(admin, scenarios, copies);
  const names = await namesIn(admin, scenarios);
  // The hashes of copied entries are computed at the end.
  await dropRules(admin);
  for (const table of tables) await copyTable(admin, table, { scenarios, names });
  await chainEntries(admin);
  if (!(await addRules(admin))) throw new Error('a copy breaks a rule of its table');
  await makeSettlements(admin);
  await makeInbox(admin);
  // Scheduled work of the copies would have been done long ago.
  await admin.query(`
    update refunds set next_check_at = now() + interval '1 day' where state in ('requested', 'pending');
    update payment_attempts set next_check_at = now() + interval '1 day'
      where state in ('opening', 'open');
    update deliveries set promise_at = now() + interval '1 day'
      where state not in ('delivered', 'cancelled');
    set session_replication_role = default`);
  await admin.query('vacuum analyze');
}

const tables = [
  { name: 'accounts', key: 'id' },
  { name: 'orders', key: 'payment_id' },
  { name: 'order_keys', key: 'payment_id' },
  { name: 'order_events', key: 'payment_id' },
  { name: 'payment_attempts', key: 'payment_id' },
  { name: 'deliveries', key: 'payment_id' },
  { name: 'refunds', key: 'payment_id' },
  { name: 'revocations', key: 'payment_id' },
  { name: 'cases', key: 'payment_id' },
  { name: 'ledger_transfers', key: 'origin_id' },
  { name: 'point_lots', key: 'origin_id' },
  { name: 'top_up_steps', key: 'origin_id' },
  { name: 'point_draws', key: 'account_id' },
  { name: 'wallets', key: 'account_id' },
  { name: 'point_entries', key: 'origin_id' },
  { name: 'point_gifts', key: 'origin_id' },
  { name: 'rebate_counts', key: 'payment_id' },
  { name: 'rebate_credits', key: 'credit_id' },
  { name: 'rebate_credit_steps', key: 'payment_id' },
  { name: 'redemptions', key: 'redemption_id' },
] as const;

/** A condition for copied accounts. */
const isCopied = `account_id < '00000001-0000-0000-0000-000000000000'`;

/** Creates the partitions of past months. */
async function makeMonths(admin: pg.Client): Promise<void> {
  await admin.query(
    `select make_month(month_after(date_trunc('month', now(), 'UTC'), -ago))
     from generate_series(1, 12) as ago`,
  );
}

async function makeCopies(
  admin: pg.Client,
  scenarios: readonly CopiedScenario[],
  copies: number,
): Promise<void> {
  await admin.query('drop schema if exists template cascade; create schema template');
  await admin.query(
    `create table template.copies as
     select copied_scenario, lpad(to_hex(k), 8, '0') as copied_account,
            lpad(to_hex((k::bigint * 128 + m) * 2654435761 % 4294967296), 8, '0') as copied_name,
            lpad(to_hex((extract(epoch from now() - shift) * 1000)::bigint >> 16), 8, '0') as copied_time,
            shift as copied_shift
     from generate_series(1, $1::int) as k,
          lateral (select make_interval(secs => ($1 - k) * (355 * 86400.0 / $1)) as shift) as shifts,
          unnest($2::float8[]) with ordinality as scenarios (times, copied_scenario),
          generate_series(1, (floor(k * times + copied_scenario / 7.0)
                              - floor((k - 1) * times + copied_scenario / 7.0))::int) as m
     order by k, copied_scenario, m`,
    [copies, scenarios.map(({ times }) => times)],
  );
  await admin.query('analyze template.copies');
}

const name =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:pi|re|du|cs_test)_\w+/g;

/** All ids in the given rows, with the expression for their copies. */
async function namesIn(
  admin: pg.Client,
  scenarios: readonly CopiedScenario[],
): Promise<ReadonlyMap<string, string>> {
  const read = async (sql: string) => {
    const { rows } = await admin.query<{ name: string }>(sql);
    return rows.map((row) => row.name);
  };
  const names = new Map<string, string>();
  const hex = (number: number) => number.toString(16).padStart(4, '0');
  const isWallet = (id: string) =>
    scenarios.some(({ ids, isShared }) => ids.includes(id) && isShared !== true);
  for (const [index, id] of (await read('select id as name from accounts order by id')).entries()) {
    const mark = isWallet(id) ? '~~~~~~~~' : '@@@@@@@@';
    names.set(id, `00000000-0000-7000-8000-${hex(index)}${mark}`);
  }
  // Ids with a time determine the partition.
  const timed = await read(
    `select payment_id as name from orders
     union select origin_id from ledger_transfers order by name`,
  );
  for (const [index, id] of timed.entries()) {
    names.set(id, `^^^^^^^^-${hex(index)}-7000-8000-${hex(index)}~~~~~~~~`);
  }
  for (const { name: table } of tables) {
    const texts = await read(`select to_jsonb(rows)::text as name from ${table} as rows`);
    for (const [found] of texts.flatMap((text) => [...text.matchAll(name)])) {
      if (names.has(found)) continue;
      const number = hex(names.size);
      const [prefix] = /^[a-z_]+_(?=\w{20})/.exec(found) ?? [];
      names.set(
        found,
        prefix === undefined
          ? `00000000-0000-7000-9000-${number}~~~~~~~~`
          : `${prefix}copied${number}xxxxxx~~~~~~~~`,
      );
    }
  }
  return names;
}

async function copyTable(
  admin: pg.Client,
  table: (typeof tables)[number],
  {
    scenarios,
    names,
  }: { scenarios: readonly CopiedScenario[]; names: ReadonlyMap<string, string> },
): Promise<void> {
  const { rows: columns } = await admin.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table.name],
  );
  const isText = ({ type }: { type: string }) => ['uuid', 'text', 'jsonb'].includes(type);
  const list = columns.map((column) => `${column.name}${isText(column) ? '::text' : ''}`);
  await admin.query(`create table template.${table.name} as
    select ${list.join(', ')}, 1 as scenario from ${table.name} with no data`);
  const { rows } = await admin.query<{ key: string; text: string }>(
    `select ${table.key} as key, (to_jsonb(found))::text as text
     from (select ${list.join(', ')} from ${table.name} where ${table.key} is not null) as found`,
  );
  const docs = rows.map(({ key, text }) => ({
    ...JSON.parse(text.replaceAll(name, (found) => names.get(found) ?? found)),
    scenario: scenarios.findIndex(({ ids }) => ids.includes(key)) + 1,
  }));
  await admin.query(
    `insert into template.${table.name} select * from jsonb_populate_recordset(null::template.${table.name}, $1)`,
    [JSON.stringify(docs)],
  );
  await admin.query(`analyze template.${table.name}`);
  const copied = columns.map((column) => {
    const isNamed = docs.some((doc) => /@@|~~|\^\^/.test(String(doc[column.name])));
    if (column.type.startsWith('timestamp')) return `${column.name} - copied_shift`;
    if (!isText(column)) return column.name;
    return isNamed ? `${filled(column.name)}::${column.type}` : `${column.name}::${column.type}`;
  });
  await admin.query(`insert into ${table.name} (${columns.map((column) => column.name).join(', ')})
    select ${copied.join(', ')} from template.copies join template.${table.name} on scenario = copied_scenario`);
}

function filled(column: string): string {
  const marks = [
    ['@@@@@@@@', 'copied_account'],
    ['~~~~~~~~', 'copied_name'],
    ['^^^^^^^^', 'copied_time'],
  ];
  return marks.reduce((text, [mark, value]) => `replace(${text}, '${mark}', ${value})`, column);
}

/** Recomputes the hash chain, because ids and times of the entries have changed. */
async function chainEntries(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ max: number }>('select max(seq) as max from point_entries');
  for (let seq = 1; seq <= (rows[0]?.max ?? 0); seq += 1) {
    await admin.query(`
      with linked as (
        select entries.ctid, coalesce(before.hash, sha256(entries.account_id::text::bytea)) as prev_hash,
               concat_ws('|', entries.seq,
                 to_char(entries.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), entries.kind,
                 entries.origin_id, entries.posting, entries.basic_change, entries.present_change,
                 entries.basic_after, entries.present_after, entries.draws) as line
        from point_entries as entries left join point_entries as before
          on before.account_id = entries.account_id and before.seq = entries.seq - 1
        where entries.seq = ${seq} and entries.${isCopied}
      )
      update point_entries set prev_hash = linked.prev_hash,
        hash = sha256(convert_to(encode(linked.prev_hash, 'hex') || e'\\n' || line, 'UTF8'))
      from linked where point_entries.ctid = linked.ctid`);
  }
  await admin.query(`
    update wallets set head = hash from point_entries as entries
    where entries.account_id = wallets.account_id and entries.seq = wallets.seq
      and wallets.${isCopied}`);
}

/** The settlement lines of our transfers, as SQL. */
export const linesOfTransfers = `
  case split_part(posting, ':', 1) when 'captured' then 'capture' when 'refund' then 'refund'
    else 'dispute' end,
  case split_part(posting, ':', 1) when 'captured' then attempts.capture_id
    else split_part(posting, ':', 2) end,
  attempts.capture_id, unit,
  case debit_book when 'house:psp' then transfers.amount_minor else -transfers.amount_minor end,
  transfers.created_at
  from ledger_transfers as transfers join payment_attempts as attempts
    on attempts.account_id = transfers.account_id and attempts.payment_id = origin_id
   and attempts.state = 'captured'
  where 'house:psp' in (debit_book, credit_book)`;

/** Inserts matching settlement lines up to yesterday. The originals are of today. */
async function makeSettlements(admin: pg.Client): Promise<void> {
  await admin.query(
    'delete from house_transfers; delete from settlement_lines; delete from settlement_days',
  );
  await admin.query(`
    insert into settlement_days
    select 'stripe', day::date, 'frr_' || to_char(day, 'YYYYMMDD'), day + interval '1 day',
           day + interval '1 day'
    from generate_series(date_trunc('day', now(), 'UTC') - interval '357 days',
                         date_trunc('day', now(), 'UTC') - interval '1 day', interval '1 day') as day
    on conflict do nothing`);
  await admin.query(`
    insert into settlement_lines
    select 'stripe', 'txn_copied' || row_number() over (),
           (transfers.created_at at time zone 'UTC')::date, ${linesOfTransfers}
      and transfers.${isCopied} and transfers.created_at < date_trunc('day', now(), 'UTC')`);
  await admin.query(`
    insert into settlement_lines
    select psp, line_id || ':fee', day, 'fee', subject_id, capture_id, currency, -44, at
    from settlement_lines where kind = 'capture';
    insert into house_transfers (day, psp, line_id, debit_book, credit_book, unit, amount_minor, at)
    select day, psp, line_id, 'house:fees', 'house:psp', currency, -amount_minor, at
    from settlement_lines where kind = 'fee'`);
}

/** Inserts three webhook events for each payment, as the provider sends them. */
async function makeInbox(admin: pg.Client): Promise<void> {
  await admin.query(`
    insert into provider_inbox (psp, event_id, received_at, raw_body, signature, processed_at, outcome)
    select psp, 'evt_' || number || 'copied' || substr(capture_id, 4), created_at, 'copied', 'copied',
           created_at, 'complete'
    from payment_attempts, generate_series(1, 3) as number
    where state = 'captured' and psp = 'stripe' and ${isCopied}`);
}
