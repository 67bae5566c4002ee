import { yuan } from '../platform/beijing.ts';
import { flowsBetween } from '../platform/flows.ts';
import type { Provider } from './provider.ts';
import { tradeLines } from './settlement-lines.ts';
import { headOf, rule, writtenAt } from './settlement-text.ts';
import { wireTime } from './times.ts';

const columns =
  '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,' +
  '交易渠道,业务类型,备注';

export type AccountLine = {
  at: number;
  id: string;
  subject: string;
  outTradeNo: string;
  type: string;
  amount: number;
};

/** All movements of the merchant's account on a day, including payments and refunds. */
export function accountLines(
  provider: Provider,
  period: { from: number; until: number },
): AccountLine[] {
  const trades = tradeLines(provider, period).map(
    ({ at, tradeNo: subject, outTradeNo, amount, requestNo }) => ({
      at,
      id: `1${subject.slice(-14)}`,
      subject,
      outTradeNo,
      amount,
      type: requestNo === null ? '在线支付' : '交易退款',
    }),
  );
  const others = flowsBetween(provider, period).map(({ id, created, type, subject, amount }) => ({
    at: created,
    id,
    subject: subject ?? id,
    outTradeNo: '',
    type,
    amount,
  }));
  return [...trades, ...others].sort((a, b) => a.at - b.at);
}

export function accountText(
  lines: readonly AccountLine[],
  input: { account: string; from: number; until: number; now: number },
): string {
  const spent = lines.filter(({ amount }) => amount < 0);
  const income = lines.filter(({ amount }) => amount > 0);
  let balance = 0;
  return [
    '#支付宝账务明细查询',
    ...headOf(input),
    `#${rule}账务明细列表${'-'.repeat(40)}`,
    columns,
    ...lines.map((line) => {
      balance += line.amount;
      return cellsOf(line, balance).join(',');
    }),
    `#${rule}账务明细列表结束${'-'.repeat(36)}`,
    `#支出合计：${spent.length}笔，共${sum(spent)}元`,
    `#收入合计：${income.length}笔，共${sum(income)}元`,
    writtenAt(input.now),
    '',
  ].join('\r\n');
}

/** The second file of the bill, which has only totals. */
export function accountSummary(
  lines: readonly AccountLine[],
  input: { account: string; from: number; until: number; now: number },
): string {
  const spent = lines.filter(({ amount }) => amount < 0);
  const income = lines.filter(({ amount }) => amount > 0);
  return [
    '#支付宝账务汇总查询',
    ...headOf(input),
    '类型,收入笔数,收入金额（+元）,支出笔数,支出金额（-元）,总金额（元）',
    `合计,${income.length},${sum(income)},${spent.length},${sum(spent)},${sum(lines)}`,
    writtenAt(input.now),
    '',
  ].join('\r\n');
}

function cellsOf({ at, id, subject, outTradeNo, type, amount }: AccountLine, balance: number) {
  const [income, spent] = amount < 0 ? ['0.00', yuan(amount)] : [yuan(amount), '0.00'];
  return [
    ...[`${id}\t`, `${subject}\t`, `${outTradeNo}\t`, '', wireTime(at), '', income, spent],
    ...[yuan(balance), '支付宝', type, ''],
  ];
}

function sum(lines: readonly AccountLine[]): string {
  return yuan(lines.reduce((total, { amount }) => total + amount, 0));
}
