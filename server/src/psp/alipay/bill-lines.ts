import { z } from 'zod';
import { parseCsv } from '../csv.ts';
import { readDecimalAmount } from '../decimal-amount.ts';
import type { SettlementLine } from '../psp.ts';
import type { Unknown } from '../replies.ts';
import { readBeijingTime } from './sdk.ts';
import { TradeNo } from './shapes.ts';

const Row = z.object({
  支付宝交易号: TradeNo,
  商户订单号: z.string(),
  业务类型: z.string(),
  完成时间: z.string(),
  '订单金额（元）': z.string(),
  '退款批次号/请求号': z.string(),
});
type Row = z.output<typeof Row>;

/**
 * The lines of a bill of trades: between two rules, with a line of names before and sums behind. A
 * line that cannot be read in full, or a sum that is another, makes all of it unknown.
 */
export function readBill(
  text: string,
  sellerId: string,
): { outcome: 'ok'; lines: SettlementLine[] } | Unknown {
  const all = text.split(/\r?\n/);
  const start = all.findIndex((line) => /^#-+业务明细列表-+$/.test(line));
  const end = all.findIndex((line) => /^#-+业务明细列表结束-+$/.test(line));
  if (start === -1 || end <= start + 1) return unreadable('no list');
  if (!all.slice(0, start).some((line) => line.startsWith(`#账号：[${sellerId}`))) {
    return unreadable('another account');
  }
  const records = parseCsv(all.slice(start + 1, end).join('\n'));
  const [names, ...rows] = records ?? [];
  if (names === undefined) return unreadable('no names');
  const lines: SettlementLine[] = [];
  for (const [index, cells] of rows.entries()) {
    const row = cells.length === names.length ? Row.safeParse(named(names, cells)) : undefined;
    const line = row?.success === true ? lineOf(row.data) : undefined;
    if (line === undefined) return unreadable(`line ${index + 1}`);
    lines.push(line);
  }
  return hasItsSums(lines, all.slice(end + 1))
    ? { outcome: 'ok', lines }
    : unreadable('another number of lines');
}

/** Values end with a tab where a spreadsheet would round them. */
function named(names: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name.trim(), (cells[index] ?? '').trim()]));
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
  // Under our number where we made it; one that was made by hand has another.
  const subjectId = row['退款批次号/请求号'];
  if (row.业务类型 !== '退款' || subjectId === '' || amountMinor > 0n) return undefined;
  return { lineId: `${captureId}:${subjectId}`, kind: 'refund', subjectId, captureId, money, at };
}

function hasItsSums(lines: readonly SettlementLine[], sums: readonly string[]): boolean {
  const counted = (name: string) => {
    const found = sums.find((line) => line.startsWith(`#${name}合计：`)) ?? '';
    return Number(/^#..合计：(\d+)笔/.exec(found)?.[1] ?? Number.NaN);
  };
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  return counted('交易') === count('capture') && counted('退款') === count('refund');
}

function unreadable(why: string): Unknown {
  return { outcome: 'unknown', cause: `a bill that cannot be read: ${why}` };
}
