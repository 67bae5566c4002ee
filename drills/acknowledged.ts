import type { ShownStatus } from '@pointgate/contract/orders.ts';
import type { Acknowledgement } from './acknowledgements.ts';
import type { Shop } from './shop.ts';

interface OrderRow {
  payment_id: string;
  account_id: string;
  client_order_id: string;
  state: string;
  amount_minor: string;
  currency: string;
  is_paid: boolean;
  is_arrived: boolean;
  sessions: string[];
  /** What entries of the account's statement took for it. */
  spends: string[];
  /** Those that were made. */
  refunds: string[];
}

// What was true stays readable: an order that was refunded later still knows when it was paid.
const ordersWithTheirPast = `
  select orders.payment_id, orders.account_id, client_order_id, orders.state, orders.currency,
         orders.amount_minor, paid_at is not null as is_paid, arrived_at is not null as is_arrived,
         array(select psp_ref from payment_attempts as attempts
               where attempts.account_id = orders.account_id
                 and attempts.payment_id = orders.payment_id and psp_ref is not null) as sessions,
         array(select -(basic_change + present_change) from point_entries as entries
               where entries.account_id = orders.account_id and origin_id = orders.payment_id
                 and kind = 'spend') as spends,
         array(select fact ->> 'refundId' from order_events as events
               where events.account_id = orders.account_id
                 and events.payment_id = orders.payment_id
                 and fact ->> 'type' = 'refund_settled' and fact ->> 'outcome' = 'done') as refunds
  from orders left join order_keys using (account_id, payment_id)`;

/** Whatever somebody was told for certain and is not so: one line each. */
export async function brokenPromises(
  shop: Shop,
  acknowledgements: readonly Acknowledgement[],
): Promise<string[]> {
  const rows = await shop.query<OrderRow>(ordersWithTheirPast);
  const orders = new Map(rows.map((row) => [row.payment_id, row]));
  const broken = acknowledgements.flatMap((told) => {
    const order = orders.get(told.paymentId);
    const isTrue = order !== undefined && holds(told, order);
    return isTrue ? [] : [`${JSON.stringify(told)} but it is ${JSON.stringify(order)}`];
  });
  return [...new Set(broken)];
}

function holds(told: Acknowledgement, order: OrderRow): boolean {
  switch (told.what) {
    case 'placed':
      return (
        order.account_id === told.accountId &&
        order.client_order_id === told.clientOrderId &&
        order.amount_minor === told.amountMinor &&
        order.currency === told.currency
      );
    case 'opened':
      return order.sessions.includes(told.sessionId);
    case 'charged':
      return order.is_paid;
    case 'spent':
      return order.is_paid && order.spends.length === 1 && order.spends[0] === told.points;
    case 'unaffordable':
      return !order.is_paid && order.spends.length === 0;
    case 'refunded':
      return order.refunds.filter((refundId) => refundId === told.refundId).length === 1;
    case 'shown':
      return remains[told.shown](order);
  }
}

/** What has to be true of an order for ever after it was shown as this. */
const remains: Record<ShownStatus, (order: OrderRow) => boolean> = {
  Unpaid: () => true,
  Processing: () => true,
  PaymentFailed: () => true,
  Paid: ({ is_paid }) => is_paid,
  Fulfilled: ({ is_arrived }) => is_arrived,
  Refunded: ({ state }) => state === 'refunded',
};
