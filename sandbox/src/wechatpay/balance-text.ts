import { beijing, yuan } from '../platform/beijing.ts';
import { flowsBetween } from '../platform/flows.ts';
import type { Provider } from './provider.ts';
import { tradeLines } from './settlement-lines.ts';
import { billText } from './settlement-text.ts';

const columns =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),' +
  '资金变更提交申请人,备注,业务凭证号';

type Flow = {
  at: number;
  id: string;
  flowId: string;
  type: string;
  amount: number;
  voucher: string;
};

/** The movements of the merchant's balance on a day; undefined if there were none. */
export function fundFlowBill(
  provider: Provider,
  period: { from: number; until: number },
): string | undefined {
  const flows = [...tradeFlows(provider, period), ...otherFlows(provider, period)].sort(
    (a, b) => a.at - b.at,
  );
  if (flows.length === 0) return undefined;
  let balance = 0;
  const rows = flows.map(({ at, id, flowId, type, amount, voucher }) => {
    const { day, time } = beijing(at);
    balance += amount;
    return [
      ...[`${day} ${time}`, id, flowId, type, type, amount < 0 ? '支出' : '收入'],
      ...[yuan(Math.abs(amount)), yuan(balance), 'system', '', voucher],
    ];
  });
  const income = flows.filter(({ amount }) => amount > 0);
  const spent = flows.filter(({ amount }) => amount < 0);
  const sum = (some: Flow[]) =>
    yuan(some.reduce((total, { amount }) => total + Math.abs(amount), 0));
  return billText({
    columns: columns.split(','),
    rows,
    summary: [
      ['资金流水总笔数', String(flows.length)],
      ['收入笔数', String(income.length)],
      ['收入金额', sum(income)],
      ['支出笔数', String(spent.length)],
      ['支出金额', sum(spent)],
    ],
  });
}

function tradeFlows(provider: Provider, period: { from: number; until: number }): Flow[] {
  return tradeLines(provider, { ...period, type: 'ALL' }).map((line) => {
    const { at, refund } = line;
    const id = refund?.id ?? line.transactionId;
    return {
      at,
      id,
      flowId: `10${id.slice(2)}`,
      type: refund === null ? '交易' : '退款',
      amount: refund === null ? line.amount : -refund.amount,
      voucher: refund?.outRefundNo ?? line.outTradeNo,
    };
  });
}

function otherFlows(provider: Provider, period: { from: number; until: number }): Flow[] {
  return flowsBetween(provider, period).map(({ id, created: at, type, subject, amount }) => ({
    at,
    id: subject ?? id,
    flowId: id,
    type,
    amount,
    voucher: subject ?? id,
  }));
}
