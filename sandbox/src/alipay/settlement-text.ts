import { beijing, yuan } from '../platform/beijing.ts';
import { feeOf } from '../platform/flows.ts';
import type { TradeLine } from './settlement-lines.ts';
import { wireTime } from './times.ts';

const columns =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,' +
  '订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,' +
  '商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';

export const rule = '-'.repeat(41);

/** The lines of a day in the format of the provider, with a header and totals. */
export function detailText(
  lines: readonly TradeLine[],
  input: { account: string; from: number; until: number; now: number; wrongSums: boolean },
): string {
  const paid = lines.filter(({ requestNo }) => requestNo === null);
  const back = lines.filter(({ requestNo }) => requestNo !== null);
  const paidCount = paid.length + (input.wrongSums ? 1 : 0);
  return [
    '#支付宝业务明细查询',
    ...headOf(input),
    `#${rule}业务明细列表${'-'.repeat(40)}`,
    columns,
    ...lines.map((line) => cellsOf(line).join(',')),
    `#${rule}业务明细列表结束${'-'.repeat(36)}`,
    `#交易合计：${paidCount}笔，商家实收共${sum(paid)}元，商家优惠共0.00元`,
    `#退款合计：${back.length}笔，商家实收退款共${sum(back)}元，商家优惠退款共0.00元`,
    writtenAt(input.now),
    '',
  ].join('\r\n');
}

/** The second file of a bill, which has only totals. */
export function summaryText(
  lines: readonly TradeLine[],
  input: { account: string; from: number; until: number; now: number },
): string {
  const paid = lines.filter(({ requestNo }) => requestNo === null);
  const back = lines.filter(({ requestNo }) => requestNo !== null);
  return [
    '#支付宝业务汇总查询',
    ...headOf(input),
    `#${rule}业务汇总列表${'-'.repeat(40)}`,
    '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）',
    `合计,,${paid.length},${back.length},${sum(lines)},${sum(lines)}`,
    `#${rule}业务汇总列表结束${'-'.repeat(36)}`,
    writtenAt(input.now),
    '',
  ].join('\r\n');
}

export function headOf({ account, from, until }: { account: string; from: number; until: number }) {
  return [`#账号：[${account}]`, `#起始日期：[${chinese(from)}]   终止日期：[${chinese(until)}]`];
}

/** Ids end with a tab, so that spreadsheets do not round them. */
function cellsOf(line: TradeLine): string[] {
  const amount = yuan(line.amount);
  const isRefund = line.requestNo !== null;
  // A fee is negative; for a refund a proportional part is returned.
  const serviceFee = yuan(isRefund ? feeOf(-line.amount) : -feeOf(line.amount));
  return [
    ...[`${line.tradeNo}\t`, `${line.outTradeNo}\t`, isRefund ? '退款' : '交易'],
    ...[line.subject.replaceAll(/[,\r\n"]/g, ' '), wireTime(line.created), wireTime(line.at)],
    ...['', '', '', '', line.buyer, amount, amount],
    ...['0.00', '0.00', '0.00', '0.00', '0.00', '', '0.00', '0.00'],
    ...[isRefund ? `${line.requestNo}\t` : '', serviceFee, '0.00', ''],
  ];
}

function sum(lines: readonly TradeLine[]): string {
  return yuan(lines.reduce((total, { amount }) => total + amount, 0));
}

export function writtenAt(seconds: number): string {
  return `#导出时间：[${chinese(seconds)}]`;
}

function chinese(seconds: number): string {
  const { day, time } = beijing(seconds);
  const [year, month, date] = day.split('-');
  return `${year}年${month}月${date}日 ${time}`;
}
