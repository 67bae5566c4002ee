import { checkAccounts } from './accounts.ts';
import type { ExternalHistory } from './check-cache.ts';
import { openDatabase, type Query } from './database.ts';
import { type Findings, openFindings } from './findings.ts';
import { checkHouse } from './house-invariants.ts';
import { checkOrders } from './orders.ts';
import { type IdRange, type MonthState, readRanges } from './ranges.ts';
import type { Finding } from './report.ts';
import { checkRules } from './rules.ts';
import { checkSettledDays } from './settlement-invariants.ts';
import { checkWork } from './work-invariants.ts';

export interface AuditOptions {
  databaseUrl: string;
  /** Months such as `2026-10`; limits the audit to orders and settlement days of these months. */
  months?: readonly string[];
  /**
   * The maximum number of rows of one table in memory, except for rows of the last order or
   * account.
   */
  rowsPerBatch?: number;
  onProgress?: (progress: Progress) => void;
  /** External parties to compare with, if any. */
  outside?: Outside | undefined;
}

/** External parties, such as games and providers, that keep their own records of the shop. */
export interface Outside {
  /**
   * Called after a range of ids was audited, with its orders that have refunds, disputes or
   * revocations.
   */
  compareRange(
    audit: OutsideAudit,
    range: IdRange,
    orders: readonly ExternalHistory[],
  ): Promise<void>;
  /** Called at the end, for comparisons that belong to no range of ids. */
  compareRest?(audit: OutsideAudit): Promise<void>;
}

export interface OutsideAudit {
  query: Query;
  findings: Findings;
}

interface Progress {
  /** A month, or another part of the audit. */
  part: string;
  done: number;
  /** Speed within this part. */
  perSecond: number;
}

export interface Audit {
  findings: Finding[];
  /** The audited months. Orders are audited only in months that are `present`. */
  months: { month: string; state: MonthState; orders: number }[];
  /** The maximum number of rows that were in memory at once. */
  rowsHeldMax: number;
}

const rowsPerBatchUsual = 5_000;

/** Checks the invariants of a shop's tables, in memory limited by the batch size. */
export async function auditDatabase(options: AuditOptions): Promise<Audit> {
  const database = await openDatabase(options.databaseUrl);
  try {
    return await auditTables(database.query, options);
  } finally {
    await database.close();
  }
}

/** The same as `auditDatabase`, over existing connections. */
export async function auditTables(
  query: Query,
  options: Omit<AuditOptions, 'databaseUrl'>,
): Promise<Audit> {
  const { months: asked, rowsPerBatch = rowsPerBatchUsual } = options;
  const findings = openFindings();
  const rowsHeld = { max: 0 };
  const ranges = await readRanges(query);
  const chosen = ranges.filter(({ month }) => asked === undefined || asked.includes(month ?? ''));
  const unknown = asked?.find((month) => !ranges.some((range) => range.month === month));
  if (unknown !== undefined) throw new Error(`the shop has no month ${unknown}`);
  const progressOf = (part: string) => openProgress(part, rowsHeld, options.onProgress);

  const months: Audit['months'] = [];
  for (const range of chosen) {
    const { month = 'ids of no month' } = range;
    const { state, orders } = await auditRange({ query, findings, rowsPerBatch }, range, {
      onBatch: progressOf(month),
      outside: options.outside,
    });
    if (range.month !== undefined) months.push({ month: range.month, state, orders });
  }
  await checkSettledDays({ query, findings }, { ranges, months: asked });
  await checkHouse({ query, findings }, asked);
  if (asked === undefined) {
    const onBatch = progressOf('accounts');
    await checkAccounts({ query, findings, rowsPerBatch, ranges, onBatch });
    findings.add(await checkRules(query));
    await checkWork(query, findings);
  }
  await options.outside?.compareRest?.({ query, findings });
  return { findings: findings.list(), months, rowsHeldMax: rowsHeld.max };
}

interface RangeAudit {
  query: Query;
  findings: Findings;
  rowsPerBatch: number;
}

/**
 * A month whose archiving began during the audit is not checked, because its rows are incomplete.
 */
async function auditRange(
  { query, findings, rowsPerBatch }: RangeAudit,
  range: IdRange,
  {
    onBatch,
    outside,
  }: {
    onBatch: (orders: number, rows: number) => void;
    outside: Outside | undefined;
  },
): Promise<{ state: MonthState; orders: number }> {
  const own = openFindings();
  const histories: ExternalHistory[] = [];
  await checkOrders(
    {
      query,
      findings: own,
      rowsPerBatch,
      onBatch,
      ...(outside === undefined
        ? {}
        : { onExternalHistory: (one: ExternalHistory) => histories.push(one) }),
    },
    range,
  );
  const after = (await readRanges(query)).find(({ from }) => from === range.from);
  if (after?.state !== range.state) return { state: 'moving', orders: 0 };
  findings.merge(own);
  await outside?.compareRange({ query, findings }, range, histories);
  return { state: range.state, orders: own.counts.get('orders') ?? 0 };
}

function openProgress(
  part: string,
  held: { max: number },
  onProgress: AuditOptions['onProgress'] = () => {},
): (done: number, rows: number) => void {
  const begun = performance.now();
  let done = 0;
  return (more, rows) => {
    done += more;
    held.max = Math.max(held.max, rows);
    const seconds = (performance.now() - begun) / 1000;
    onProgress({ part, done, perSecond: Math.round(done / Math.max(seconds, 0.001)) });
  };
}
