import type { Session } from '../../platform/connections.ts';
import { monthOf } from '../../platform/month.ts';
import {
  beginSnapshot,
  selectBooks,
  selectDaysToCompare,
  selectFees,
  selectPayouts,
  selectProviderBalances,
  selectRefunds,
  selectSales,
} from './accounting.queries.ts';
import {
  balancesSheet,
  feesSheet,
  payoutsSheet,
  pointsSheet,
  refundsSheet,
  revenueSheet,
  trialBalanceSheet,
} from './month-sheets.ts';
import { csvOf, type Sheet } from './sheet.ts';

interface MonthReport {
  month: string;
  /** A final report is the same whenever it is created. */
  status: 'final' | 'preliminary';
  /** The reasons why it is not final. */
  reasons: string[];
  files: { name: string; text: string }[];
}

/**
 * The report of a month for accountants: every figure is a sum of ledger rows read in one snapshot.
 * Undefined if the argument is not a month.
 */
export async function monthReport(
  open: () => Promise<Session>,
  name: string,
): Promise<MonthReport | undefined> {
  const month = monthOf(name);
  if (month === undefined) return undefined;
  const now = new Date();
  const session = await open();
  try {
    await beginSnapshot(session);
    const books = await selectBooks(session, month);
    const sheets: Sheet[] = [
      trialBalanceSheet(books),
      balancesSheet(await selectProviderBalances(session, month)),
      revenueSheet(await selectSales(session, month)),
      refundsSheet(await selectRefunds(session, month)),
      feesSheet(await selectFees(session, month)),
      payoutsSheet(await selectPayouts(session, month)),
      pointsSheet(books),
    ];
    const open = await selectDaysToCompare(session, month, month);
    const isOver = now >= month.ends;
    const reasons = [
      ...(isOver ? [] : ['the month is not over']),
      ...open.map(({ psp, day }) => `${day} is not compared with ${psp}`),
    ];
    const status = reasons.length === 0 ? 'final' : 'preliminary';
    const about = aboutSheet({
      name,
      begins: month.begins,
      ends: month.ends,
      now,
      status,
      reasons,
    });
    const files = [about, ...sheets.map((sheet) => withMonth(sheet, { name, status }))];
    return {
      month: name,
      status,
      reasons,
      files: files.map((sheet) => ({ name: sheet.file, text: csvOf(sheet) })),
    };
  } finally {
    await session.close();
  }
}

function aboutSheet(about: {
  name: string;
  begins: Date;
  ends: Date;
  now: Date;
  status: string;
  reasons: readonly string[];
}): Sheet {
  const { name, begins, ends, now, status, reasons } = about;
  return {
    file: 'about.csv',
    columns: ['what', 'is'],
    rows: [
      ['month', name],
      ['time zone', 'UTC'],
      ['from', begins.toISOString()],
      ['until', ends.toISOString()],
      ['made at', now.toISOString()],
      ['status', status],
      ...reasons.map((reason) => ['because', reason]),
    ],
  };
}

/** Adds the month to every line, because accountants merge files of several months. */
function withMonth(sheet: Sheet, { name, status }: { name: string; status: string }): Sheet {
  return {
    file: sheet.file,
    columns: ['month', 'time_zone', 'status', ...sheet.columns],
    rows: sheet.rows.map((cells) => [name, 'UTC', status, ...cells]),
  };
}
