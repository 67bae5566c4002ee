import { z } from 'zod';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import { readBeijingTime } from '../beijing-time.ts';
import type { SettlementLine } from '../psp.ts';
import { type SettlementLines, unreadable } from '../settlement-rows.ts';
import { countedIn, rowsOfBill } from './bill-text.ts';
import { TradeNo } from './ids.ts';

const Row = z.object({
  支付宝交易号: TradeNo,
  商户订单号: z.string(),
  业务类型: z.string(),
  完成时间: z.string(),
  '订单金额（元）': z.string(),
  '退款批次号/请求号': z.string(),
});
type Row = z.output<typeof Row>;

/** The lines of a trade bill; one unreadable line or total makes the whole bill unknown. */
export function readBill(text: string, sellerId: string): SettlementLines {
  const bill = rowsOfBill(text, { list: '业务明细列表', sellerId });
  if (bill === undefined) return unreadable('bill', 'no list');
  const lines: SettlementLine[] = [];
  for (const [index, cells] of bill.rows.entries()) {
    const row = Row.safeParse(cells);
    const line = row.success ? lineOf(row.data) : undefined;
    if (line === undefined) return unreadable('bill', `line ${index + 1}`);
    lines.push(line);
  }
  return hasItsSums(lines, bill.sums)
    ? { outcome: 'ok', lines }
    : unreadable('bill', 'another number of lines');
}

function lineOf(row: Row): SettlementLine | undefined {
  const at = readBeijingTime(row.完成时间);
  const amountMinor = readDecimalAmount(row['订单金额（元）'], 'CNY');
  if (at === undefined || amountMinor === undefined || amountMinor === 0n) return undefined;
  const captureId = row.支付宝交易号;
  const money = { amountMinor, currency: 'CNY' } as const;
  if (row.业务类型 === '交易') {
    if (amountMinor < 0n) return undefined;
    return { lineId: captureId, kind: 'capture', subjectId: captureId, captureId, money, at };
  }
  // Our refund id, or Alipay's number if the refund was made outside the shop.
  const subjectId = row['退款批次号/请求号'];
  if (row.业务类型 !== '退款' || subjectId === '' || amountMinor > 0n) return undefined;
  return { lineId: `${captureId}:${subjectId}`, kind: 'refund', subjectId, captureId, money, at };
}

function hasItsSums(lines: readonly SettlementLine[], sums: readonly string[]): boolean {
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  return (
    countedIn(sums, '交易') === count('capture') && countedIn(sums, '退款') === count('refund')
  );
}
