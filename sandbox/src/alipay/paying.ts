import { recordTradeEvent } from './events.ts';
import { newBuyerId } from './ids.ts';
import { closeDueTrades, findOrder } from './payments.ts';
import { bookFee } from './payouts.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, chargeRow, type OrderRow } from './rows.ts';

type CashierState = 'open' | 'paid' | 'closed' | 'expired';

/** Opens the cashier, which creates the trade. Answers whether the order can be paid. */
export function openCashier(provider: Provider, outTradeNo: string): CashierState {
  closeDueTrades(provider);
  const order = findOrder(provider, outTradeNo);
  if (order === undefined || order.state === 'TRADE_CLOSED') return 'closed';
  if (order.state === 'TRADE_SUCCESS') return 'paid';
  if (order.opened !== null) return 'open';
  const now = provider.clock.nowSeconds();
  if (order.time_expire <= now) return 'expired';
  provider.db.run('update orders set opened = ? where out_trade_no = ?', now, outTradeNo);
  return 'open';
}

type PayOutcome =
  | { outcome: 'paid' | 'already_paid' | 'expired' | 'closed'; order: OrderRow }
  | { outcome: 'not_found' };

/**
 * Pays the order, once. An override charges another amount or currency than requested; `isLate`
 * allows the payment of an expired order.
 */
export function payOrder(
  provider: Provider,
  input: { outTradeNo: string; isLate?: boolean; amount?: number | undefined },
): PayOutcome {
  return provider.db.transaction((): PayOutcome => {
    const { outTradeNo, isLate = false, amount } = input;
    const state = openCashier(provider, outTradeNo);
    const order = findOrder(provider, outTradeNo);
    if (order === undefined) return { outcome: 'not_found' };
    if (state === 'paid') return { outcome: 'already_paid', order };
    if (state !== 'open' && !isLate) return { outcome: state, order };

    const now = provider.clock.nowSeconds();
    provider.db.run(
      "update orders set state = 'TRADE_SUCCESS', opened = coalesce(opened, ?) where out_trade_no = ?",
      now,
      outTradeNo,
    );
    const paid: OrderRow = { ...order, state: 'TRADE_SUCCESS', opened: order.opened ?? now };
    const charge = takeMoney(provider, { order, amount: amount ?? order.total });
    recordTradeEvent(provider, { order: paid, charge });
    return { outcome: 'paid', order: paid };
  });
}

export function findCharge({ db }: Provider, tradeNo: string): ChargeRow | undefined {
  return db.one(chargeRow, 'select * from charges where id = ?', tradeNo);
}

function takeMoney(provider: Provider, input: { order: OrderRow; amount: number }): ChargeRow {
  const { order, amount } = input;
  const { payment_id, out_trade_no, trade_no: id } = order;
  const charge: ChargeRow = {
    id,
    created: provider.clock.nowSeconds(),
    out_trade_no,
    buyer_id: newBuyerId(),
    amount,
    amount_refunded: 0,
    currency: 'CNY',
    payment_id,
  };
  provider.db.insert('charges', charge);
  bookFee(provider, { subject: charge.id, amount: charge.amount, currency: charge.currency });
  return charge;
}
