import { z } from 'zod';
import { linesBeside, readBookMoney } from '../book-money.ts';
import type { LineKind, SettlementLine } from '../psp.ts';
import { isOurId } from '../replies.ts';
import { WireMoney } from './money.ts';

/** `2026-11-15T21:00:00+0000`, with an offset that lacks the colon of ISO 8601. */
const WireTime = z
  .string()
  .transform((time) => time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  .pipe(z.iso.datetime({ offset: true }))
  .transform((time) => new Date(time));

const WireAmount = z.object({ currency_code: z.string(), value: z.string() });

const TransactionInfo = z.object({
  transaction_id: z.string().min(1),
  transaction_event_code: z.string().regex(/^T\d{4}$/),
  transaction_status: z.string(),
  transaction_initiation_date: WireTime,
  transaction_amount: WireAmount,
  /** Negative if PayPal took a fee, whatever the sign of the transaction. */
  fee_amount: WireAmount.optional(),
  paypal_reference_id: z.string().optional(),
  paypal_reference_id_type: z.string().optional(),
  custom_field: z.string().optional(),
});
type TransactionInfo = z.output<typeof TransactionInfo>;

export const SearchPage = z.object({
  transaction_details: z.array(z.object({ transaction_info: TransactionInfo })).default([]),
  last_refreshed_datetime: WireTime,
  page: z.int(),
  total_pages: z.int().nonnegative(),
});

// A code and its reversal have the same kind; the sign of the amount tells them apart.
const kinds = new Map<string, LineKind>([
  ['T1107', 'refund'],
  // Money taken by PayPal or by a bank in a dispute, and its reversal.
  ['T1106', 'dispute'],
  ['T1201', 'dispute'],
  ['T1202', 'dispute'],
  ['T0106', 'dispute_fee'],
  // Returned fees.
  ['T1108', 'fee'],
  ['T1109', 'fee'],
  // A withdrawal that the bank returned.
  ['T1101', 'payout'],
  // Holds and their releases do not change what PayPal owes the shop.
  ['T1105', 'other'],
  ['T1110', 'other'],
  ['T1111', 'other'],
]);

// By the first two digits: payments, fees, currency exchange, from the bank, to the bank, holds, reserves.
const groups = new Map<string, LineKind>([
  ['T00', 'capture'],
  ['T01', 'fee'],
  ['T02', 'exchange'],
  ['T03', 'payout'],
  ['T04', 'payout'],
  ['T15', 'other'],
  ['T21', 'other'],
]);

/** The settlement lines of an entry: none if no money moved, `undefined` if it is unreadable. */
export function readLines(info: TransactionInfo): SettlementLine[] | undefined {
  // Denied or pending.
  if (info.transaction_status === 'D' || info.transaction_status === 'P') return [];
  if (info.transaction_status !== 'S' && info.transaction_status !== 'V') return undefined;
  const kind = kindOf(info.transaction_event_code);
  const money = moneyOf(info.transaction_amount, kind);
  const { currency_code, value } = info.fee_amount ?? {
    currency_code: info.transaction_amount.currency_code,
    value: '0',
  };
  const given = readBookMoney(value, currency_code);
  if (money === undefined || given === undefined) return undefined;
  const { transaction_id: id } = info;
  const line: SettlementLine = {
    // One transaction id may have several lines.
    lineId: `${id}:${info.transaction_event_code}:${info.transaction_initiation_date.toISOString()}`,
    kind,
    subjectId: kind === 'refund' ? (ourRefund(info) ?? id) : id,
    captureId: kind === 'capture' ? id : paymentOf(kind, info),
    money,
    at: info.transaction_initiation_date,
  };
  const fee = { ...given, amountMinor: -given.amountMinor };
  return [line, ...linesBeside(line, { gross: money, fee })];
}

function kindOf(code: string): LineKind {
  return kinds.get(code) ?? groups.get(code.slice(0, 3)) ?? 'adjustment';
}

/** A payment must be in a supported currency; fees and withdrawals may be in any. */
function moneyOf(
  amount: z.output<typeof WireAmount>,
  kind: LineKind,
): SettlementLine['money'] | undefined {
  const isOfPayment = kind === 'capture' || kind === 'refund' || kind === 'dispute';
  if (isOfPayment) return WireMoney.safeParse(amount).data;
  return readBookMoney(amount.value, amount.currency_code);
}

/** A returned withdrawal references the withdrawal, which is not a payment. */
function paymentOf(kind: LineKind, info: TransactionInfo): string | null {
  const isAboutPayment = info.paypal_reference_id_type === 'TXN' && kind !== 'payout';
  return (isAboutPayment && info.paypal_reference_id) || null;
}

function ourRefund({ custom_field }: TransactionInfo): string | undefined {
  return custom_field !== undefined && isOurId(custom_field) ? custom_field : undefined;
}
