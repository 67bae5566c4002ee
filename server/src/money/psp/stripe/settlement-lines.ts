import { Currency } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { parseCsv } from '../../../platform/csv.ts';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import { linesBeside, readBookMoney } from '../book-money.ts';
import type { LineKind, SettlementLine } from '../psp.ts';
import { byColumn, type SettlementLines, UtcTime, unreadable } from '../settlement-rows.ts';

/** The requested columns of a report; a report with others is refused. */
export const reportColumns = [
  'balance_transaction_id',
  'created_utc',
  'reporting_category',
  'source_id',
  'payment_intent_id',
  'refund_metadata[refundId]',
  'currency',
  'gross',
  'fee',
  'customer_facing_currency',
  'customer_facing_amount',
] as const;

// A category and its reversal have the same kind; the sign of the amount tells them apart.
const kinds = new Map<string, LineKind>([
  ['charge', 'capture'],
  ['charge_failure', 'capture'],
  ['partial_capture_reversal', 'capture'],
  ['refund', 'refund'],
  ['refund_failure', 'refund'],
  ['dispute', 'dispute'],
  ['dispute_reversal', 'dispute'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
]);

const Row = z.object({
  balance_transaction_id: z.string().min(1),
  created_utc: UtcTime,
  reporting_category: z.string().min(1),
  source_id: z.string(),
  payment_intent_id: z.string(),
  'refund_metadata[refundId]': z.string(),
  currency: z.string(),
  gross: z.string(),
  fee: z.string(),
  customer_facing_currency: z.string(),
  customer_facing_amount: z.string(),
});
type Row = z.output<typeof Row>;

/** The lines of a report; one unreadable line makes the whole report unknown. */
export function readLines(csv: string): SettlementLines {
  const [header, ...records] = parseCsv(csv) ?? [];
  if (header === undefined) return unreadable('report', 'not a table');
  const isAsked = reportColumns.every((column) => header.includes(column));
  if (!isAsked || header.length !== reportColumns.length) {
    return unreadable('report', `its columns are ${header.join(', ')}`);
  }
  const lines: SettlementLine[] = [];
  for (const [index, record] of records.entries()) {
    const read = readRecord(header, record);
    if (read === undefined) return unreadable('report', `line ${index + 2}`);
    lines.push(...read);
  }
  return { outcome: 'ok', lines };
}

function readRecord(header: string[], record: string[]): SettlementLine[] | undefined {
  const row = Row.safeParse(byColumn(header, record));
  if (!row.success) return undefined;
  const kind = kinds.get(row.data.reporting_category) ?? 'adjustment';
  const subjectId = subjectOf(kind, row.data);
  const gross = readBookMoney(row.data.gross, row.data.currency);
  const fee = readBookMoney(row.data.fee, row.data.currency);
  if (subjectId === '' || gross === undefined || fee === undefined) return undefined;
  const money = isOfPayment(kind) ? payersMoney(row.data, gross) : gross;
  if (money === undefined) return undefined;
  const line: SettlementLine = {
    lineId: row.data.balance_transaction_id,
    kind,
    subjectId,
    captureId: row.data.payment_intent_id || null,
    money,
    at: row.data.created_utc,
  };
  return [line, ...linesBeside(line, { gross, fee })];
}

function isOfPayment(kind: LineKind): boolean {
  return kind === 'capture' || kind === 'refund' || kind === 'dispute';
}

/** The id that a query returns for it. */
function subjectOf(kind: LineKind, row: Row): string {
  switch (kind) {
    case 'capture':
      return row.payment_intent_id || row.source_id;
    case 'refund':
      return row['refund_metadata[refundId]'] || row.source_id;
    case 'dispute':
      return row.source_id;
    // A fee has no other subject than itself.
    default:
      return row.source_id || row.balance_transaction_id;
  }
}

/**
 * The amount in the payer's currency if the report has it. The gross amount is in the settlement currency,
 * which may be another one.
 */
function payersMoney(
  row: Row,
  gross: SettlementLine['money'],
): SettlementLine['money'] | undefined {
  const isTold = row.customer_facing_amount !== '';
  const currency = Currency.safeParse(
    (isTold ? row.customer_facing_currency : row.currency).toUpperCase(),
  );
  if (!currency.success) return undefined;
  if (!isTold) return gross;
  const amount = readDecimalAmount(row.customer_facing_amount, currency.data);
  if (amount === undefined) return undefined;
  const size = amount < 0n ? -amount : amount;
  return { amountMinor: gross.amountMinor < 0n ? -size : size, currency: currency.data };
}
