import { recordEvent } from './events.ts';
import { newTransactionId, randomText } from './ids.ts';
import { transactionObject, type WireObject } from './objects.ts';
import { findOrder } from './payments.ts';
import { bookFee } from './payouts.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, chargeRow, type OrderRow } from './rows.ts';

export type PayOutcome =
  | { outcome: 'paid' | 'already_paid' | 'expired' | 'closed'; order: OrderRow }
  | { outcome: 'not_found' };

/**
 * The payer opens the cashier. From then on the order can be paid even after it expires, because
 * the expiry limits the start of a payment and not its end. Answers whether the order can be paid.
 */
export function openCashier(
  provider: Provider,
  outTradeNo: string,
): 'open' | 'paid' | 'closed' | 'expired' {
  const order = findOrder(provider, outTradeNo);
  if (order === undefined || order.state === 'CLOSED') return 'closed';
  if (order.state === 'SUCCESS') return 'paid';
  if (order.opened !== null) return 'open';
  const now = provider.clock.nowSeconds();
  if (order.time_expire <= now) return 'expired';
  provider.db.run('update orders set opened = ? where out_trade_no = ?', now, outTradeNo);
  return 'open';
}

/**
 * Pays the order, once. An override charges another amount or currency than requested; `isLate`
 * stands for a payer who opened the cashier before the order expired.
 */
export function payOrder(
  provider: Provider,
  input: {
    outTradeNo: string;
    isLate?: boolean;
    override?: { amount?: number | undefined; currency?: string | undefined };
  },
): PayOutcome {
  return provider.db.transaction((): PayOutcome => {
    const { outTradeNo, override, isLate = false } = input;
    const cashier = openCashier(provider, outTradeNo);
    const order = findOrder(provider, outTradeNo);
    if (order === undefined) return { outcome: 'not_found' };
    if (cashier === 'paid') return { outcome: 'already_paid', order };
    if (cashier === 'closed') return { outcome: 'closed', order };
    if (cashier === 'expired' && !isLate) return { outcome: 'expired', order };

    const charge = takeMoney(provider, {
      order,
      amount: override?.amount ?? order.total,
      currency: override?.currency ?? order.currency,
    });
    provider.db.run("update orders set state = 'SUCCESS' where out_trade_no = ?", outTradeNo);
    const { promotion_detail, ...resource } = transactionObject(order, {
      mchId: provider.settings.mchId,
      charge,
    });
    recordEvent(provider, {
      type: 'TRANSACTION.SUCCESS',
      originalType: 'transaction',
      summary: '支付成功',
      url: order.notify_url,
      resource,
    });
    return { outcome: 'paid', order: { ...order, state: 'SUCCESS' } };
  });
}

export function findCharge(provider: Provider, id: string): ChargeRow | undefined {
  return provider.db.one(chargeRow, 'select * from charges where id = ?', id);
}

export function findChargeOfOrder(provider: Provider, outTradeNo: string): ChargeRow | undefined {
  return provider.db.one(chargeRow, 'select * from charges where out_trade_no = ?', outTradeNo);
}

export function wireTransaction(provider: Provider, order: OrderRow): WireObject {
  const charge = findChargeOfOrder(provider, order.out_trade_no);
  return transactionObject(order, { mchId: provider.settings.mchId, charge });
}

function takeMoney(
  provider: Provider,
  input: { order: OrderRow; amount: number; currency: string },
): ChargeRow {
  const { order, amount, currency } = input;
  const { payment_id, out_trade_no } = order;
  const created = provider.clock.nowSeconds();
  const id = newTransactionId(created);
  const charge: ChargeRow = {
    id,
    created,
    out_trade_no,
    amount,
    amount_refunded: 0,
    currency,
    payment_id,
    openid: order.openid ?? `o${randomText(27)}`,
  };
  provider.db.insert('charges', charge);
  bookFee(provider, { subject: charge.id, amount: charge.amount, currency: charge.currency });
  return charge;
}
