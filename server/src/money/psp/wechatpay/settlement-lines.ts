import { z } from 'zod';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import { readBeijingTime } from '../beijing-time.ts';
import type { SettlementLine } from '../psp.ts';
import { isOurId } from '../replies.ts';
import { type SettlementLines, unreadable } from '../settlement-rows.ts';
import { cellsOf, partsOfBill } from './bill-text.ts';

const Row = z.object({
  交易时间: z.string().transform(readBeijingTime).pipe(z.date()),
  商户号: z.string(),
  微信订单号: z.string().min(1),
  交易状态: z.enum(['SUCCESS', 'REFUND', 'REVOKED']),
  货币种类: z.literal('CNY'),
  微信退款单号: z.string(),
  商户退款单号: z.string(),
  退款状态: z.string(),
  订单金额: z.string(),
  申请退款金额: z.string(),
});
type Row = z.output<typeof Row>;

/** States of refunds that have moved no money. */
const movedNothing = ['PROCESSING', 'ABNORMAL', 'CLOSED', 'FAIL'];

/**
 * The lines of a trade bill. Each value has a backtick in front, and the bill ends with two lines of
 * totals. One unreadable line or a wrong total makes the whole bill unknown.
 */
export function readBill(text: string, mchId: string): SettlementLines {
  const bill = partsOfBill(text);
  if (bill === undefined) return unreadable('bill', 'no sums');
  const lines: SettlementLine[] = [];
  for (const [index, line] of bill.lines.entries()) {
    const row = Row.safeParse(cellsOf(bill.head, line));
    if (!row.success || row.data.商户号 !== mchId) return unreadable('bill', `line ${index + 2}`);
    const read = readRow(row.data);
    if (read === undefined) return unreadable('bill', `line ${index + 2}`);
    if (read !== null) lines.push(read);
  }
  if (bill.sums?.总交易单数 !== String(bill.lines.length)) {
    return unreadable('bill', 'another number of lines');
  }
  return { outcome: 'ok', lines };
}

/** `null` if no money moved. */
function readRow(row: Row): SettlementLine | null | undefined {
  const captureId = row.微信订单号;
  const at = row.交易时间;
  if (row.交易状态 === 'SUCCESS') {
    const amountMinor = readDecimalAmount(row.订单金额, 'CNY');
    if (amountMinor === undefined || amountMinor <= 0n) return undefined;
    const money = { amountMinor, currency: 'CNY' } as const;
    return { lineId: captureId, kind: 'capture', subjectId: captureId, captureId, money, at };
  }
  if (row.交易状态 === 'REVOKED') return revocationOf(row);
  if (movedNothing.includes(row.退款状态)) return null;
  const amountMinor = readDecimalAmount(row.申请退款金额, 'CNY');
  if (row.退款状态 !== 'SUCCESS' || amountMinor === undefined || amountMinor <= 0n) {
    return undefined;
  }
  const lineId = row.微信退款单号;
  // Our refund id, or WeChat's number if the refund was made outside the shop.
  const isOurs = isOurId(row.商户退款单号);
  const subjectId = isOurs ? row.商户退款单号 : lineId;
  const money = { amountMinor: -amountMinor, currency: 'CNY' } as const;
  return { lineId, kind: 'refund', subjectId, captureId, money, at };
}

/** A revocation at a cash register, so not of the shop but of another user of the merchant id. */
function revocationOf(row: Row): SettlementLine | undefined {
  const amountMinor = readDecimalAmount(row.申请退款金额, 'CNY');
  if (amountMinor === undefined) return undefined;
  const captureId = row.微信订单号;
  const lineId = `revoked:${captureId}`;
  const money = { amountMinor: -amountMinor, currency: 'CNY' } as const;
  return { lineId, kind: 'other', subjectId: captureId, captureId, money, at: row.交易时间 };
}
