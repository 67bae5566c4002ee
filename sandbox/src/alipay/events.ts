import { yuan } from '../platform/beijing.ts';
import { planSends } from '../platform/webhook-plan.ts';
import { newNotifyId } from './ids.ts';
import type { Provider } from './provider.ts';
import type { ChargeRow, OrderRow, RefundRow } from './rows.ts';
import { wireTime } from './times.ts';

/**
 * Queues a notification of a trade; the sender starts after the commit. TRADE_CLOSED means expired
 * unpaid or fully refunded, which only the refund fields tell apart.
 */
export function recordTradeEvent(
  provider: Provider,
  input: { order: OrderRow; charge: ChargeRow | undefined; refund?: RefundRow },
): void {
  const { order, charge, refund } = input;
  if (order.notify_url === null) return;
  const { db, clock, settings } = provider;
  const now = clock.nowSeconds();
  const id = newNotifyId(now);
  const isFullyRefunded = charge !== undefined && charge.amount_refunded === charge.amount;
  const status = isFullyRefunded ? 'TRADE_CLOSED' : order.state;
  const fields = {
    gmt_create: wireTime(order.opened ?? order.created),
    charset: 'utf-8',
    subject: order.subject,
    version: '1.0',
    notify_id: id,
    notify_type: 'trade_status_sync',
    out_trade_no: order.out_trade_no,
    trade_no: order.trade_no,
    trade_status: status,
    total_amount: yuan(charge?.amount ?? order.total),
    auth_app_id: settings.appId,
    app_id: settings.appId,
    seller_id: settings.sellerId,
    ...(order.passback === null ? {} : { passback_params: order.passback }),
    ...(charge === undefined ? {} : paidFields(charge)),
    ...(charge === undefined || refund === undefined ? {} : refundedFields(charge, refund)),
    ...(status === 'TRADE_CLOSED' ? { gmt_close: wireTime(now) } : {}),
  };
  const type = refund === undefined ? status : `${status}.REFUND`;
  db.run(
    'insert into events (id, created, type, url, fields) values (?, ?, ?, ?, ?)',
    ...[id, now, type, order.notify_url, JSON.stringify(fields)],
  );
  planSends(provider, { eventId: id, type });
}

function paidFields(charge: ChargeRow) {
  const amount = yuan(charge.amount);
  return {
    gmt_payment: wireTime(charge.created),
    buyer_id: charge.buyer_id,
    invoice_amount: amount,
    receipt_amount: amount,
    buyer_pay_amount: amount,
    point_amount: '0.00',
    fund_bill_list: JSON.stringify([{ amount, fundChannel: 'ALIPAYACCOUNT' }]),
  };
}

/** The total refunded and the request number of this refund. */
function refundedFields(charge: ChargeRow, refund: RefundRow) {
  return {
    gmt_refund: `${wireTime(refund.settled ?? refund.created)}.000`,
    refund_fee: yuan(charge.amount_refunded),
    send_back_fee: yuan(refund.amount),
    out_biz_no: refund.id,
  };
}
