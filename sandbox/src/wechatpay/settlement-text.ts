import { beijing, yuan } from '../platform/beijing.ts';
import { feeOf } from '../platform/flows.ts';
import type { TradeLine } from './settlement-lines.ts';

const tradeColumns =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,' +
  '付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,' +
  '退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';

/** The trade bill: payments and refunds. */
export function tradeText(lines: readonly TradeLine[], mchId: string): string {
  const paid = lines.filter(({ refund }) => refund === null);
  const back = lines.flatMap(({ refund }) => (refund === null ? [] : [refund]));
  const sum = (amounts: { amount: number }[]) =>
    yuan(amounts.reduce((total, { amount }) => total + amount, 0));
  return billText({
    columns: tradeColumns.split(','),
    rows: lines.map((line) => tradeCells(line, mchId)),
    summary: [
      ['总交易单数', String(lines.length)],
      ['应结订单总金额', sum(paid)],
      ['退款总金额', sum(back)],
      ['充值券退款总金额', '0.00'],
      ['手续费总金额', fiveDecimals(lines.reduce((total, line) => total + feeOfLine(line), 0))],
      ['订单总金额', sum(paid)],
      ['申请退款总金额', sum(back)],
    ],
  });
}

function tradeCells(line: TradeLine, mchId: string): string[] {
  const { day, time } = beijing(line.at);
  const { refund } = line;
  const paid = refund === null ? yuan(line.amount) : '0.00';
  const back = yuan(refund?.amount ?? 0);
  return [
    ...[`${day} ${time}`, line.appid, mchId, '0', '', line.transactionId, line.outTradeNo],
    ...[line.openid, line.tradeType, refund === null ? 'SUCCESS' : 'REFUND', 'OTHERS'],
    ...[line.currency, paid, '0.00', refund?.id ?? '0', refund?.outRefundNo ?? '0', back, '0.00'],
    ...[refund === null ? '' : 'ORIGINAL', refund === null ? '' : 'SUCCESS', line.description],
    ...[line.attach, fiveDecimals(feeOfLine(line)), '0.60%', paid, back, ''],
  ];
}

/** The fee is returned in proportion to the refunded amount. */
function feeOfLine({ amount, refund }: TradeLine): number {
  return refund === null ? feeOf(amount) : -feeOf(refund.amount);
}

function fiveDecimals(fen: number): string {
  return `${yuan(fen)}000`;
}

/**
 * A bill in the format of the provider: a byte order mark, a header line, a line for each entry
 * with a backtick before every value, and two summary lines.
 */
export function billText(input: {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  summary: readonly (readonly [name: string, value: string])[];
}): string {
  const { columns, rows, summary } = input;
  return [
    `\uFEFF${columns.join(',')}`,
    ...rows.map(quoted),
    summary.map(([name]) => name).join(','),
    quoted(summary.map(([, value]) => value)),
    '',
  ].join('\r\n');
}

// The provider, too, removes commas from values, because it does not quote them.
function quoted(values: readonly string[]): string {
  return values.map((value) => `\`${value.replaceAll(/[,\r\n`]/g, ' ')}`).join(',');
}
