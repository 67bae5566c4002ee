import type { Provider } from './provider.ts';
import { chargeRow, orderRow, refundRow } from './rows.ts';

export type TradeLine = {
  at: number;
  outTradeNo: string;
  transactionId: string;
  appid: string;
  openid: string;
  tradeType: string;
  description: string;
  attach: string;
  currency: string;
  amount: number;
  refund: { id: string; outRefundNo: string; amount: number } | null;
};

/** The payments and refunds of a day, with the planned errors. */
export function tradeLines(
  provider: Provider,
  input: { from: number; until: number; type: 'ALL' | 'SUCCESS' | 'REFUND' },
): TradeLine[] {
  const { omit = [], alter = {}, invent = [] } = provider.settlementPlan;
  const lines = [
    ...(input.type === 'REFUND' ? [] : paidLines(provider, input)),
    ...(input.type === 'SUCCESS' ? [] : refundLines(provider, input)),
  ]
    .filter((line) => !idsOf(line).some((id) => omit.includes(id)))
    .map((line) => altered(line, alter))
    .sort((a, b) => a.at - b.at);
  const made = invent.map(({ amount, outTradeNo, transactionId }) => ({
    at: input.from,
    outTradeNo,
    transactionId,
    amount,
    refund: null,
    appid: provider.settings.appIds[0] ?? '',
    openid: 'o_invented',
    tradeType: 'NATIVE',
    description: 'invented',
    attach: '',
    currency: 'CNY',
  }));
  return input.type === 'REFUND' ? lines : [...lines, ...made];
}

const tradeTypes = { jsapi: 'JSAPI', h5: 'MWEB', native: 'NATIVE' } as const;

function paidLines(provider: Provider, period: { from: number; until: number }): TradeLine[] {
  const charges = provider.db.all(
    chargeRow,
    'select * from charges where created >= ? and created < ? order by created, rowid limit 100000',
    period.from,
    period.until,
  );
  return charges.map((charge) => ({
    ...tradeOf(provider, charge.out_trade_no),
    at: charge.created,
    transactionId: charge.id,
    openid: charge.openid,
    currency: charge.currency,
    amount: charge.amount,
    refund: null,
  }));
}

/** A refund belongs to the bill of the day on which it succeeded. */
function refundLines(provider: Provider, period: { from: number; until: number }): TradeLine[] {
  const refunds = provider.db.all(
    refundRow,
    `select * from refunds where status = 'SUCCESS' and settled >= ? and settled < ?
     order by settled, rowid limit 100000`,
    period.from,
    period.until,
  );
  return refunds.flatMap((refund) => {
    const charge = provider.db.one(chargeRow, 'select * from charges where id = ?', refund.charge);
    if (charge === undefined || refund.settled === null) return [];
    const { id, out_refund_no: outRefundNo, amount } = refund;
    return [
      {
        ...tradeOf(provider, charge.out_trade_no),
        at: refund.settled,
        transactionId: charge.id,
        openid: charge.openid,
        currency: refund.currency,
        amount: 0,
        refund: { id, outRefundNo, amount },
      },
    ];
  });
}

function tradeOf(provider: Provider, outTradeNo: string) {
  const order = provider.db.one(
    orderRow,
    'select * from orders where out_trade_no = ?',
    outTradeNo,
  );
  if (order === undefined) throw new Error(`order ${outTradeNo} does not exist`);
  const { appid, description, attach, scene } = order;
  return { outTradeNo, appid, description, attach: attach ?? '', tradeType: tradeTypes[scene] };
}

function idsOf({ transactionId, outTradeNo, refund }: TradeLine): string[] {
  return refund === null ? [transactionId, outTradeNo] : [refund.id, refund.outRefundNo];
}

function altered(line: TradeLine, alter: Record<string, number>): TradeLine {
  const amount = idsOf(line)
    .map((id) => alter[id])
    .find((one) => one !== undefined);
  if (amount === undefined) return line;
  const { refund } = line;
  return refund === null ? { ...line, amount } : { ...line, refund: { ...refund, amount } };
}
