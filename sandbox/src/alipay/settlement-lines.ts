import type { Provider } from './provider.ts';
import { chargeRow, orderRow, refundRow } from './rows.ts';

export type TradeLine = {
  at: number;
  created: number;
  tradeNo: string;
  outTradeNo: string;
  subject: string;
  buyer: string;
  /** Refunds are negative. */
  amount: number;
  /** The request number of a refund. */
  requestNo: string | null;
};

type Period = { from: number; until: number };

/** The payments and refunds of a day, with the planned errors. */
export function tradeLines(provider: Provider, period: Period): TradeLine[] {
  const { omit = [], alter = {}, invent = [] } = provider.settlementPlan;
  const lines = [...paidLines(provider, period), ...refundLines(provider, period)]
    .filter((line) => !omit.includes(idOf(line)))
    .map((line) => ({ ...line, amount: alter[idOf(line)] ?? line.amount }))
    .sort((a, b) => a.at - b.at);
  const made = invent.map(({ amount, outTradeNo, tradeNo }) => ({
    at: period.from,
    created: period.from,
    tradeNo,
    outTradeNo,
    amount,
    subject: 'invented',
    buyer: 'inv***@sandbox.test',
    requestNo: null,
  }));
  return [...lines, ...made];
}

function paidLines(provider: Provider, { from, until }: Period): TradeLine[] {
  const charges = provider.db.all(
    chargeRow,
    'select * from charges where created >= ? and created < ? order by created, rowid limit 100000',
    from,
    until,
  );
  return charges.map(({ id, created, amount }) => ({
    ...tradeOf(provider, id),
    at: created,
    amount,
    requestNo: null,
  }));
}

/** A refund belongs to the bill of the day on which it succeeded. */
function refundLines(provider: Provider, { from, until }: Period): TradeLine[] {
  const refunds = provider.db.all(
    refundRow,
    `select * from refunds where status = 'SUCCESS' and settled >= ? and settled < ?
     order by settled, rowid limit 100000`,
    from,
    until,
  );
  return refunds.map(({ id, charge, settled, created, amount }) => ({
    ...tradeOf(provider, charge),
    at: settled ?? created,
    amount: -amount,
    requestNo: id,
  }));
}

function tradeOf(provider: Provider, tradeNo: string) {
  const order = provider.db.one(orderRow, 'select * from orders where trade_no = ?', tradeNo);
  if (order === undefined) throw new Error(`the order of ${tradeNo} does not exist`);
  const { out_trade_no: outTradeNo, subject, created } = order;
  return { tradeNo, outTradeNo, subject, created, buyer: 'san***@sandbox.test' };
}

function idOf({ tradeNo, requestNo }: TradeLine): string {
  return requestNo ?? tradeNo;
}
