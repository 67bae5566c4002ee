import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { parseCsv } from '../csv.ts';
import { readDecimalAmount } from '../decimal-amount.ts';
import type { SettlementLine } from '../psp.ts';
import { isOurId, type Unknown } from '../replies.ts';

// Each kind with what undoes it; on which side the money stands tells which of the two it was.
const kinds = new Map<string, SettlementLine['kind']>([
  ['Settled', 'capture'],
  ['SettledReversed', 'capture'],
  ['Refunded', 'refund'],
  ['RefundedReversed', 'refund'],
  ['Chargeback', 'dispute'],
  ['ChargebackReversed', 'dispute'],
  ['SecondChargeback', 'dispute'],
]);

const Row = z.object({
  'Merchant Account': z.string(),
  'Psp Reference': z.string(),
  'Creation Date': z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
    .transform((time) => `${time.replace(' ', 'T')}Z`)
    .pipe(z.iso.datetime())
    .transform((time) => new Date(time)),
  // The account has to keep its books in it; the names of other zones say too little.
  TimeZone: z.enum(['UTC', 'GMT']),
  Type: z.string().min(1),
  'Modification Reference': z.string(),
  'Modification Merchant Reference': z.string(),
  'Gross Currency': z.string(),
  'Gross Debit (GC)': z.string(),
  'Gross Credit (GC)': z.string(),
  'Batch Number': z.string(),
});
type Row = z.output<typeof Row>;

/** The lines of a settlement details report; one that cannot be read makes all of it unknown. */
export function readReport(
  csv: string,
  merchantAccount: string,
): { outcome: 'ok'; lines: SettlementLine[] } | Unknown {
  const [header, ...records] = parseCsv(csv.replace(/^\uFEFF/, '')) ?? [];
  if (header === undefined) return unreadable('not a table');
  const lacking = Object.keys(Row.shape).find((column) => !header.includes(column));
  if (lacking !== undefined) return unreadable(`no column ${lacking}`);
  const lines: SettlementLine[] = [];
  for (const [index, record] of records.entries()) {
    const row = rowOf(header, record);
    if (row?.['Merchant Account'] !== merchantAccount) return unreadable(`line ${index + 2}`);
    const line = lineOf(row, index);
    if (line === undefined) return unreadable(`line ${index + 2}`);
    if (line !== null) lines.push(line);
  }
  return { outcome: 'ok', lines };
}

function rowOf(header: string[], record: string[]): Row | undefined {
  if (record.length !== header.length) return undefined;
  const cells = Object.fromEntries(header.map((column, index) => [column, record[index]]));
  const row = Row.safeParse(cells);
  return row.success ? row.data : undefined;
}

/** `null` for fees and payouts that are in no currency of ours: nobody holds them against anything. */
function lineOf(row: Row, index: number): SettlementLine | null | undefined {
  const kind = kinds.get(row.Type) ?? 'other';
  const money = moneyOf(row);
  if (money === undefined) return kind === 'other' ? null : undefined;
  const captureId = row['Psp Reference'] || null;
  const modification = row['Modification Reference'];
  if (kind !== 'other' && (captureId === null || modification === '')) return undefined;
  const name = modification || `line ${index + 2}`;
  return {
    lineId: [row['Batch Number'], row.Type, captureId ?? '', name].join(':'),
    kind,
    subjectId: subjectOf(kind, row) || name,
    captureId,
    money,
    at: row['Creation Date'],
  };
}

/** By the id under which it was told of. */
function subjectOf(kind: SettlementLine['kind'], row: Row): string {
  const ours = row['Modification Merchant Reference'];
  switch (kind) {
    case 'capture':
      return row['Psp Reference'];
    case 'refund':
      return isOurId(ours) ? ours : row['Modification Reference'];
    case 'dispute':
    case 'other':
      return row['Modification Reference'];
  }
}

/** One of the two sides is empty, or nothing moved. */
function moneyOf(row: Row): Money | undefined {
  const currency = Currency.safeParse(row['Gross Currency']);
  if (!currency.success) return undefined;
  const [debit, credit] = [row['Gross Debit (GC)'], row['Gross Credit (GC)']];
  if ((debit === '') === (credit === '')) return undefined;
  const amount = readDecimalAmount(debit || credit, currency.data);
  if (amount === undefined || amount < 0n) return undefined;
  return { amountMinor: credit === '' ? -amount : amount, currency: currency.data };
}

function unreadable(why: string): Unknown {
  return { outcome: 'unknown', cause: `a report that cannot be read: ${why}` };
}
