import { z } from 'zod';
import type { Session } from '../../platform/connections.ts';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { lockMs } from '../../platform/lock-retries.ts';
import type { Month } from '../../platform/month.ts';
import type { ArchivedTable } from './archive-files.ts';

/** A table whose rows of a month are archived. */
export interface Part {
  name: string;
  /** Without generated columns. */
  columns: string[];
  /** Whether each month has its own table; otherwise its rows are part of a table that stays. */
  isMonthly: boolean;
}

// Tables that are not split by month, with the indexed key range of a month's rows.
const rowsOfMonth: Readonly<Record<string, { key: string; range: (month: Month) => string }>> = {
  order_keys: {
    key: 'payment_id',
    range: ({ firstId, endId }) => `payment_id >= '${firstId}' and payment_id < '${endId}'`,
  },
  settlement_lines: {
    key: 'psp, line_id',
    range: ({ name, ends }) => `day >= '${name}-01' and day < '${ends.toISOString().slice(0, 10)}'`,
  },
};

const PartRow = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  is_monthly: z.boolean(),
});

/** Orders first, because the other tables of the month reference them. */
export async function selectParts(session: Session): Promise<Part[]> {
  const { rows } = await session.execute(
    `select relname as name, array_agg(quote_ident(attname) order by attnum) as columns,
            relkind = 'p' as is_monthly
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where attnum > 0 and not attisdropped and attgenerated = ''
       and (pg_class.oid in (select parent from monthly_tables where is_of_orders) or pg_class.oid = any($1::regclass[]))
     group by relname, relkind order by relname <> 'orders', relname`,
    [Object.keys(rowsOfMonth)],
  );
  return z
    .array(PartRow)
    .parse(rows)
    .map(({ is_monthly: isMonthly, ...part }) => ({ ...part, isMonthly }));
}

/** Allows statements that take hours but never wait long for locks, so the shop is not blocked. */
export async function prepareSession(session: Session): Promise<void> {
  await session.execute(`
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    set lock_timeout = ${lockMs};
    set timezone = 'UTC';
    set datestyle = 'ISO';
    set intervalstyle = 'iso_8601'`);
}

// An arbitrary number.
const archiveLock = 7_301_867;

/** False if a month is being archived or restored by another process. Ends with the session. */
export async function takeTurn(session: Session): Promise<boolean> {
  const { rows } = await session.execute(`select pg_try_advisory_lock(${archiveLock}) as is_ours`);
  return z.tuple([z.object({ is_ours: z.boolean() })]).parse(rows)[0].is_ours;
}

const Tables = z.array(
  z.object({ name: z.string(), is_attached: z.boolean(), is_pending: z.boolean() }),
);

/** The existing tables of the month. `is_pending` means that detaching was interrupted. */
export async function selectTables(session: Session, { suffix }: Month) {
  const { rows } = await session.execute(
    `select name, inhrelid is not null as is_attached, coalesce(inhdetachpending, false) as is_pending
     from monthly_tables
     left join pg_inherits on inhparent = parent and inhrelid = to_regclass(name || $1)
     where is_of_orders and to_regclass(name || $1) is not null order by name <> 'orders', name`,
    [suffix],
  );
  return Tables.parse(rows);
}

const Unfinished = z.array(
  z.object({ what: z.string(), count: z.coerce.number(), examples: z.array(z.string()) }),
);

/** Unfinished work about orders of the month. */
export async function selectUnfinished(session: Session, month: Month) {
  const of = (what: string, table: string, where: string, name = 'payment_id') =>
    `select '${what}' as what, count(*) as count,
            coalesce((array_agg(distinct ${name}::text))[1:3], '{}') as examples
     from ${table} where ${where}`;
  const orders = (table: string) => `${table}${month.suffix}`;
  const ids = `payment_id >= '${month.firstId}' and payment_id < '${month.endId}'`;
  const { rows } = await session.execute(
    [
      of(
        'orders that are not at their end',
        orders('orders'),
        `state not in ('arrived', 'closed', 'refunded') or is_disputed`,
      ),
      of('open payments', orders('payment_attempts'), `state in ('opening', 'open')`),
      of('deliveries under way', orders('deliveries'), `state = 'queued'`),
      of('refunds under way', orders('refunds'), `state in ('requested', 'pending')`),
      of('revocations under way', orders('revocations'), `state = 'queued'`),
      of('open cases', 'cases', `resolved_at is null and ${ids}`),
      of(
        'days that were not compared with a provider',
        'settlement_days',
        `compared_at is null and ${rowsOfMonth.settlement_lines?.range(month)}`,
        `(psp || ' ' || day)`,
      ),
    ].join(' union all '),
  );
  return Unfinished.parse(rows).filter(({ count }) => count > 0);
}

/** Everything that is read until `endReading` comes from one snapshot. */
export async function beginReading(session: Session): Promise<void> {
  await session.execute('begin isolation level repeatable read read only');
}

export async function endReading(session: Session): Promise<void> {
  await session.execute('commit');
}

function sourceOf({ name, isMonthly }: Pick<Part, 'name' | 'isMonthly'>, month: Month): string {
  const range = rowsOfMonth[name]?.range(month);
  return isMonthly || range === undefined ? `${name}${month.suffix}` : `${name} where ${range}`;
}

const Digest = z.tuple([z.object({ rows: z.string(), digest: z.string() })]);

/** A checksum of rows that does not depend on their order or location. */
export async function digestOf(
  session: Session,
  part: Part,
  month: Month,
): Promise<Pick<ArchivedTable, 'rows' | 'digest'>> {
  const row = `row(${part.columns.join(', ')})::text`;
  const { rows } = await session.execute(
    `select count(*)::text as rows,
            coalesce(sum(('x' || left(md5(${row}), 16))::bit(64)::bigint::numeric), 0)::text as digest
     from ${sourceOf(part, month)}`,
  );
  return Digest.parse(rows)[0];
}

const LedgerDigest = z.tuple([z.object({ rows: z.coerce.bigint(), digest: z.string() })]);

/**
 * A checksum of the month's ledger without movements of points, which continue when old points
 * expire. The auditor computes it independently.
 */
export async function digestOfLedger(
  session: Session,
  { firstId, endId }: Month,
): Promise<{ rows: bigint; digest: string }> {
  const { rows } = await session.execute(
    `select count(*)::text as rows,
            coalesce(sum(('x' || left(md5(row(account_id, origin_id, posting, debit_book, credit_book, unit,
              amount_minor, created_at)::text), 16))::bit(64)::bigint::numeric), 0)::text as digest
     from ledger_transfers
     where origin_id >= '${firstId}' and origin_id < '${endId}'
       and debit_book not in ('player:basic', 'player:present')
       and credit_book not in ('player:basic', 'player:present')`,
  );
  return LedgerDigest.parse(rows)[0];
}

export function copyRows(session: Session, part: Part, month: Month) {
  const columns = part.columns.join(', ');
  return session.copyOut(
    `copy (select ${columns} from ${sourceOf(part, month)}) to stdout (format csv, header)`,
  );
}

export async function selectSchema(session: Session): Promise<string> {
  const { rows } = await session.execute('select max(name) as name from schema_migrations');
  return z.tuple([z.object({ name: z.string() })]).parse(rows)[0].name;
}

export async function detachTable(
  session: Session,
  { name, isPending }: { name: string; isPending: boolean },
  { suffix }: Month,
): Promise<void> {
  await session.execute(
    `alter table ${name} detach partition ${name}${suffix} ${isPending ? 'finalize' : 'concurrently'}`,
  );
}

/** False if no row is left to delete. */
export async function deleteRows(
  session: Session,
  { name }: Part,
  month: Month,
  rowsMax: number,
): Promise<boolean> {
  const rows = rowsOfMonth[name];
  if (rows === undefined) throw new Error(`${name} is a table of its month and not deleted from`);
  const { changed } = await session.execute(
    `delete from ${name} where ctid = any (array(
       select ctid from ${name} where ${rows.range(month)} limit ${rowsMax}))`,
  );
  return changed > 0;
}

export async function dropTable(session: Session, name: string, { suffix }: Month): Promise<void> {
  await session.execute(`drop table if exists ${name}${suffix}`);
}

export async function createTables(session: Session, { begins }: Month): Promise<void> {
  await session.execute('select create_month_tables($1)', [begins]);
}

/**
 * Checks that every row is of the month, so that attaching need not do it while it holds locks. Nobody
 * else uses the table yet but autovacuum, which gives way only to those who wait for a second.
 */
export async function addBounds(session: Session, { begins }: Month): Promise<void> {
  await waitingForLocks(session, 'select add_month_bounds($1)', [begins]);
}

export async function addKeys(session: Session, month: Month): Promise<void> {
  await session.execute('select add_month_keys($1)', [month.begins]);
}

export async function validateKeys(session: Session, { begins }: Month): Promise<void> {
  await waitingForLocks(session, 'select validate_month_keys($1)', [begins]);
}

/** For a statement that locks only tables of which the shop knows nothing yet. */
async function waitingForLocks(
  session: Session,
  statement: string,
  values: unknown[],
): Promise<void> {
  await session.execute('set lock_timeout = 0');
  await session.execute(statement, values);
  await session.execute(`set lock_timeout = ${lockMs}`);
}

export async function attachTables(session: Session, { begins }: Month): Promise<void> {
  await session.execute('select attach_month($1)', [begins]);
}

export function copyInto(session: Session, { name, columns }: ArchivedTable, month: Month) {
  return session.copyIn(
    `copy ${name}${month.suffix} (${columns.join(', ')}) from stdin (format csv, header)`,
  );
}

/** Creates a staging table, from which `insertStaged` copies rows into a table that stays. */
export async function createStage(session: Session, { name }: ArchivedTable): Promise<void> {
  await session.execute(
    `drop table if exists staged_${name}; create temp table staged_${name} (like ${name})`,
  );
}

export function copyIntoStage(session: Session, { name, columns }: ArchivedTable) {
  return session.copyIn(
    `copy staged_${name} (${columns.join(', ')}) from stdin (format csv, header)`,
  );
}

/** Copies one batch, so that row locks are held only briefly. False if no row is left. */
export async function insertStaged(
  session: Session,
  { name, columns }: ArchivedTable,
  rowsMax: number,
): Promise<boolean> {
  const list = columns.join(', ');
  const { changed } = await session.execute(
    `with taken as (
       delete from staged_${name} where ctid = any (array(
         select ctid from staged_${name} limit ${rowsMax}))
       returning ${list}
     ), put as (
       insert into ${name} (${list}) select ${list} from taken on conflict do nothing
     )
     select from taken`,
  );
  return changed > 0;
}

const ArchiveRow = z.object({
  archive_id: z.uuid(),
  month: z.string(),
  state: z.enum(['written', 'verified', 'archived', 'restored']),
  folder: z.string(),
  manifest_sha256: z.string(),
  orders: z.bigint(),
  archived_by: z.string(),
  archived_at: z.date(),
  restored_by: z.string().nullable(),
  restored_at: z.date().nullable(),
});
export type ArchiveRow = z.output<typeof ArchiveRow>;

const columnsOfArchives = sql`
  archive_id, to_char(month, 'YYYY-MM') as month, state, folder, manifest_sha256, orders,
  archived_by, archived_at, restored_by, restored_at`;

export function selectArchives(db: Db): Promise<ArchiveRow[]> {
  return db.many(
    ArchiveRow,
    sql`select ${columnsOfArchives} from archives order by archives.month, archived_at`,
  );
}

/** The archive of a month that is archived or being archived. */
export function selectArchive(db: Db, { name }: Month): Promise<ArchiveRow | undefined> {
  return db.maybeOne(
    ArchiveRow,
    sql`
      select ${columnsOfArchives} from archives
      where archives.month = ${`${name}-01`}::date and state <> 'restored'`,
  );
}

export async function insertArchive(
  tx: Tx,
  archive: Pick<ArchiveRow, 'archive_id' | 'folder' | 'manifest_sha256' | 'orders'> & {
    month: Month;
    by: string;
  },
): Promise<void> {
  await tx.run(sql`
    insert into archives (archive_id, month, state, folder, manifest_sha256, orders, archived_by)
    values (${archive.archive_id}, ${`${archive.month.name}-01`}::date, 'written', ${archive.folder},
            ${archive.manifest_sha256}, ${archive.orders}, ${archive.by})`);
}

export async function updateArchive(
  tx: Tx,
  archiveId: string,
  changed:
    | { state: 'archived' }
    | { state: 'verified'; manifest_sha256: string; ledger: { rows: bigint; digest: string } },
): Promise<void> {
  if (changed.state === 'archived') {
    await tx.run(sql`update archives set state = 'archived' where archive_id = ${archiveId}`);
    return;
  }
  const { manifest_sha256, ledger } = changed;
  await tx.run(sql`
    update archives set state = 'verified', manifest_sha256 = ${manifest_sha256},
      ledger_rows = ${ledger.rows}, ledger_digest = ${ledger.digest}
    where archive_id = ${archiveId}`);
}

/** Removes an abandoned archive, whose month is still in the shop. */
export async function deleteArchive(tx: Tx, archiveId: string): Promise<void> {
  await tx.run(sql`delete from archives where archive_id = ${archiveId} and state = 'written'`);
}

export async function updateRestored(tx: Tx, archiveId: string, by: string): Promise<void> {
  await tx.run(sql`
    update archives set state = 'restored', restored_by = ${by}, restored_at = now()
    where archive_id = ${archiveId}`);
}
