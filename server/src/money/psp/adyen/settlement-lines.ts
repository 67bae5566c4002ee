import { Currency } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { parseCsv } from '../../../platform/csv.ts';
import { linesBeside, readBookMoney } from '../book-money.ts';
import type { LineKind, SettlementLine } from '../psp.ts';
import { isOurId } from '../replies.ts';
import { byColumn, type SettlementLines, UtcTime, unreadable } from '../settlement-rows.ts';

// A type and its reversal have the same kind; the debit or credit side tells them apart.
const kinds = new Map<string, LineKind>([
  ['Settled', 'capture'],
  ['SettledReversed', 'capture'],
  ['Refunded', 'refund'],
  ['RefundedReversed', 'refund'],
  ['Chargeback', 'dispute'],
  ['ChargebackReversed', 'dispute'],
  ['SecondChargeback', 'dispute'],
  ['Fee', 'fee'],
  ['MiscCosts', 'fee'],
  ['PaymentCost', 'fee'],
  ['InvoiceDeduction', 'fee'],
  ['MerchantPayout', 'payout'],
  ['MerchantPayin', 'payout'],
  ['BankInstructionReturned', 'payout'],
]);

const Row = z.object({
  'Merchant Account': z.string(),
  'Psp Reference': z.string(),
  'Creation Date': UtcTime,
  // Reports have to be set to UTC, because abbreviations of other time zones are ambiguous.
  TimeZone: z.enum(['UTC', 'GMT']),
  Type: z.string().min(1),
  'Modification Reference': z.string(),
  'Modification Merchant Reference': z.string(),
  'Gross Currency': z.string(),
  'Gross Debit (GC)': z.string(),
  'Gross Credit (GC)': z.string(),
  'Net Currency': z.string(),
  'Net Debit (NC)': z.string(),
  'Net Credit (NC)': z.string(),
  'Commission (NC)': z.string(),
  'Markup (NC)': z.string(),
  'Scheme Fees (NC)': z.string(),
  'Interchange (NC)': z.string(),
  'Batch Number': z.string(),
});
type Row = z.output<typeof Row>;

/** The lines of a settlement details report; one unreadable line makes the whole report unknown. */
export function readReport(csv: string, merchantAccount: string): SettlementLines {
  const [header, ...records] = parseCsv(csv.replace(/^\uFEFF/, '')) ?? [];
  if (header === undefined) return unreadable('report', 'not a table');
  const lacking = Object.keys(Row.shape).find((column) => !header.includes(column));
  if (lacking !== undefined) return unreadable('report', `no column ${lacking}`);
  const lines: SettlementLine[] = [];
  for (const [index, record] of records.entries()) {
    const row = Row.safeParse(byColumn(header, record));
    if (row.data?.['Merchant Account'] !== merchantAccount) {
      return unreadable('report', `line ${index + 2}`);
    }
    const read = linesOf(row.data, index);
    if (read === undefined) return unreadable('report', `line ${index + 2}`);
    lines.push(...read);
  }
  return { outcome: 'ok', lines };
}

function linesOf(row: Row, index: number): SettlementLine[] | undefined {
  const kind = kinds.get(row.Type) ?? 'adjustment';
  return kind === 'capture' || kind === 'refund' || kind === 'dispute'
    ? ofPayment(kind, row)
    : besidePayments(kind, row, index);
}

function ofPayment(kind: 'capture' | 'refund' | 'dispute', row: Row): SettlementLine[] | undefined {
  const captureId = row['Psp Reference'];
  const name = row['Modification Reference'];
  const money = grossOf(row);
  const net = netOf(row);
  if (captureId === '' || name === '' || money === undefined || net === undefined) return undefined;
  const line: SettlementLine = {
    lineId: [row['Batch Number'], row.Type, captureId, name].join(':'),
    kind,
    subjectId: subjectOf(kind, row),
    captureId,
    money,
    at: row['Creation Date'],
  };
  return [line, ...linesBeside(line, costsOf(row, { money, net }))];
}

/**
 * The costs between the gross and the net amount. In one currency they are the difference; in two
 * currencies the fee columns have them, and the rest is the currency exchange.
 */
function costsOf(
  row: Row,
  { money, net }: { money: BookMoney; net: BookMoney },
): { gross: BookMoney; fee: BookMoney } {
  const { currency } = net;
  if (money.currency === currency) {
    return { gross: money, fee: { amountMinor: money.amountMinor - net.amountMinor, currency } };
  }
  const costs = [
    row['Commission (NC)'],
    row['Markup (NC)'],
    row['Scheme Fees (NC)'],
    row['Interchange (NC)'],
  ].map((text) => readBookMoney(text || '0', currency)?.amountMinor);
  // Costs with a fraction of a cent cannot be posted, so they stay within the exchange.
  const isExact = costs.every((cost) => cost !== undefined);
  const taken = isExact ? costs.reduce((sum: bigint, cost = 0n) => sum + cost, 0n) : 0n;
  return {
    gross: { amountMinor: net.amountMinor + taken, currency },
    fee: { amountMinor: taken, currency },
  };
}

/** Fees, payouts and other entries of the whole account, identified by their position in the batch. */
function besidePayments(kind: LineKind, row: Row, index: number): SettlementLine[] | undefined {
  const money = netOf(row);
  if (money === undefined) return undefined;
  if (money.amountMinor === 0n) return [];
  const name = row['Modification Reference'];
  const line: SettlementLine = {
    lineId: [row['Batch Number'], row.Type, name, `line ${index + 2}`].join(':'),
    kind,
    subjectId: name || row.Type,
    money,
    at: row['Creation Date'],
    captureId: (kind === 'fee' && row['Psp Reference']) || null,
  };
  return [line];
}

/** The id under which the webhooks reported it. */
function subjectOf(kind: 'capture' | 'refund' | 'dispute', row: Row): string {
  const ours = row['Modification Merchant Reference'];
  switch (kind) {
    case 'capture':
      return row['Psp Reference'];
    case 'refund':
      return isOurId(ours) ? ours : row['Modification Reference'];
    case 'dispute':
      return row['Modification Reference'];
  }
}

type BookMoney = SettlementLine['money'];

function grossOf(row: Row): BookMoney | undefined {
  if (!Currency.safeParse(row['Gross Currency']).success) return undefined;
  return sidesOf(row['Gross Currency'], row['Gross Debit (GC)'], row['Gross Credit (GC)']);
}

function netOf(row: Row): BookMoney | undefined {
  return sidesOf(row['Net Currency'], row['Net Debit (NC)'], row['Net Credit (NC)']);
}

/** The signed amount; `undefined` unless exactly one of debit and credit is given. */
function sidesOf(currency: string, debit: string, credit: string): BookMoney | undefined {
  if ((debit === '') === (credit === '')) return undefined;
  const money = readBookMoney(debit || credit, currency);
  if (money === undefined || money.amountMinor < 0n) return undefined;
  return credit === '' ? { ...money, amountMinor: -money.amountMinor } : money;
}
