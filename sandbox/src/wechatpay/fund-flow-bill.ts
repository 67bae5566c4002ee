import { beijing, yuan } from '../platform/beijing.ts';
import { billText } from './bill-csv.ts';
import type { Provider } from './provider.ts';
import { tradeLines } from './trade-lines.ts';

const columns =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),' +
  '资金变更提交申请人,备注,业务凭证号';

/** What came to and left the merchant's balance on a day; nothing where nothing did. */
export function fundFlowBill(
  provider: Provider,
  { from, until }: { from: number; until: number },
): string | undefined {
  const lines = tradeLines(provider, { from, until, type: 'ALL' });
  if (lines.length === 0) return undefined;
  let balance = 0;
  const rows = lines.map((line) => {
    const { day, time } = beijing(line.at);
    const { refund } = line;
    const amount = refund?.amount ?? line.amount;
    balance += refund === null ? amount : -amount;
    const id = refund?.id ?? line.transactionId;
    return [
      ...[`${day} ${time}`, id, `10${id.slice(2)}`, refund === null ? '交易' : '退款'],
      ...[refund === null ? '交易' : '退款', refund === null ? '收入' : '支出', yuan(amount)],
      ...[yuan(balance), 'system', '', refund?.outRefundNo ?? line.outTradeNo],
    ];
  });
  const income = lines.filter(({ refund }) => refund === null);
  const spent = lines.flatMap(({ refund }) => (refund === null ? [] : [refund]));
  const sum = (amounts: { amount: number }[]) =>
    yuan(amounts.reduce((total, { amount }) => total + amount, 0));
  return billText({
    columns: columns.split(','),
    rows,
    summary: [
      ['资金流水总笔数', String(lines.length)],
      ['收入笔数', String(income.length)],
      ['收入金额', sum(income)],
      ['支出笔数', String(spent.length)],
      ['支出金额', sum(spent)],
    ],
  });
}
