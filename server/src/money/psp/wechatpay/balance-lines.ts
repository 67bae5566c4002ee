import { z } from 'zod';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import { readBeijingTime } from '../beijing-time.ts';
import type { LineKind, SettlementLine } from '../psp.ts';
import { type SettlementLines, unreadable } from '../settlement-rows.ts';
import { cellsOf, partsOfBill } from './bill-text.ts';

const Row = z.object({
  记账时间: z.string(),
  微信支付业务单号: z.string(),
  资金流水单号: z.string().min(1),
  业务类型: z.string().min(1),
  收支类型: z.enum(['收入', '支出']),
  '收支金额(元)': z.string(),
});
type Row = z.output<typeof Row>;

/** Payments and refunds are skipped, because the trade bill has them. */
const trades = ['交易', '退款'];

const kinds = new Map<string, LineKind>([
  ['扣除交易手续费', 'fee'],
  ['退回交易手续费', 'fee'],
  ['服务费', 'fee'],
  ['提现', 'payout'],
  ['提现退票', 'payout'],
  ['充值', 'payout'],
]);

/**
 * The balance entries other than payments and refunds. One unreadable line or a wrong count makes the whole
 * bill unknown. `paymentOf` returns the payment of a refund.
 */
export function readFundBill(
  text: string,
  paymentOf: (id: string) => string | undefined,
): SettlementLines {
  const bill = partsOfBill(text);
  if (bill === undefined) return unreadable('bill of funds', 'no sums');
  const lines: SettlementLine[] = [];
  for (const [index, text] of bill.lines.entries()) {
    const row = Row.safeParse(cellsOf(bill.head, text));
    const line = row.success ? lineOf(row.data, paymentOf) : undefined;
    if (line === undefined) return unreadable('bill of funds', `line ${index + 2}`);
    if (line !== 'trade') lines.push(line);
  }
  if (bill.sums?.资金流水总笔数 !== String(bill.lines.length)) {
    return unreadable('bill of funds', 'another number of lines');
  }
  return { outcome: 'ok', lines };
}

function lineOf(
  row: Row,
  paymentOf: (id: string) => string | undefined,
): SettlementLine | 'trade' | undefined {
  const at = readBeijingTime(row.记账时间);
  const size = readDecimalAmount(row['收支金额(元)'], 'CNY');
  if (at === undefined || size === undefined || size < 0n) return undefined;
  if (trades.includes(row.业务类型)) return 'trade';
  const kind = kinds.get(row.业务类型) ?? 'adjustment';
  const subjectId = row.微信支付业务单号 || row.资金流水单号;
  return {
    lineId: `fund:${row.资金流水单号}`,
    kind,
    subjectId,
    at,
    captureId: kind === 'fee' ? (paymentOf(subjectId) ?? null) : null,
    money: { amountMinor: row.收支类型 === '支出' ? -size : size, currency: 'CNY' },
  };
}
