import { z } from 'zod';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import { readBeijingTime } from '../beijing-time.ts';
import type { LineKind, SettlementLine } from '../psp.ts';
import { type SettlementLines, unreadable } from '../settlement-rows.ts';
import { countedIn, rowsOfBill } from './bill-text.ts';
import { TradeNo } from './ids.ts';

const Row = z.object({
  账务流水号: z.string().min(1),
  业务流水号: z.string(),
  发生时间: z.string(),
  '收入金额（+元）': z.string(),
  '支出金额（-元）': z.string(),
  业务类型: z.string().min(1),
});
type Row = z.output<typeof Row>;

// Payments and refunds are skipped, because the trade bill has them.
const kinds = new Map<string, LineKind | 'trade'>([
  ['在线支付', 'trade'],
  ['交易付款', 'trade'],
  ['交易退款', 'trade'],
  ['收费', 'fee'],
  ['退费', 'fee'],
  ['提现', 'payout'],
  ['提现退回', 'payout'],
  ['充值', 'payout'],
]);

/** The account entries other than trades; one unreadable line or total makes the whole bill unknown. */
export function readAccountBill(text: string, sellerId: string): SettlementLines {
  const bill = rowsOfBill(text, { list: '账务明细列表', sellerId });
  if (bill === undefined) return unreadable('bill of the account', 'no list');
  const lines: SettlementLine[] = [];
  const count = { income: 0, spent: 0 };
  for (const [index, cells] of bill.rows.entries()) {
    const row = Row.safeParse(cells);
    const line = row.success ? lineOf(row.data) : undefined;
    if (line === undefined || !row.success)
      return unreadable('bill of the account', `line ${index + 1}`);
    count[line.money.amountMinor < 0n ? 'spent' : 'income'] += 1;
    if (kinds.get(row.data.业务类型) !== 'trade') lines.push(line);
  }
  const hasItsSums =
    countedIn(bill.sums, '收入') === count.income && countedIn(bill.sums, '支出') === count.spent;
  return hasItsSums
    ? { outcome: 'ok', lines }
    : unreadable('bill of the account', 'another number of lines');
}

function lineOf(row: Row): SettlementLine | undefined {
  const at = readBeijingTime(row.发生时间);
  const income = readDecimalAmount(row['收入金额（+元）'] || '0', 'CNY');
  const spent = readDecimalAmount(row['支出金额（-元）'] || '0', 'CNY');
  if (at === undefined || income === undefined || spent === undefined) return undefined;
  // Exactly one of the two is not zero, and expenses are negative.
  if ((income === 0n) === (spent === 0n) || income < 0n || spent > 0n) return undefined;
  const known = kinds.get(row.业务类型) ?? 'adjustment';
  const kind = known === 'trade' ? 'other' : known;
  const isOfTrade = kind === 'fee' && TradeNo.safeParse(row.业务流水号).success;
  return {
    lineId: `account:${row.账务流水号}`,
    kind,
    subjectId: row.业务流水号 || row.账务流水号,
    captureId: isOfTrade ? row.业务流水号 : null,
    money: { amountMinor: income + spent, currency: 'CNY' },
    at,
  };
}
