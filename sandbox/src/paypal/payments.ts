import type { WireObject } from './call.ts';
import { recordEvent } from './events.ts';
import { missing } from './failure.ts';
import { newId } from './ids.ts';
import { orderObject, timeOf } from './objects.ts';
import type { OrderInput } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { captureRow, type OrderRow, orderRow, refundRow } from './rows.ts';

/** How long an order waits for its approval, and an approved one for its capture. */
const waitSeconds = 3 * 3600;

export type Instrument = 'good' | 'declined' | 'pending';

export function createOrder(provider: Provider, input: OrderInput): OrderRow {
  const created = provider.clock.nowSeconds();
  const row: Omit<OrderRow, 'instrument' | 'taken_amount' | 'taken_currency'> = {
    id: newId(),
    created,
    updated: created,
    expires_at: created + waitSeconds,
    status: 'PAYER_ACTION_REQUIRED',
    amount: input.amount,
    currency: input.currency,
    reference_id: input.referenceId,
    custom_id: input.customId,
    invoice_id: input.invoiceId,
    description: input.description,
    return_url: input.returnUrl,
    cancel_url: input.cancelUrl,
    locale: input.locale,
  };
  provider.db.insert('orders', row);
  return getOrder(provider, row.id);
}

/** Finds an order; an expired one is not found. */
export function findOrder(provider: Provider, id: string): OrderRow | undefined {
  return provider.db.one(orderRow, "select * from orders where id = ? and status <> 'EXPIRED'", id);
}

export function getOrder(provider: Provider, id: string): OrderRow {
  const row = findOrder(provider, id);
  if (row === undefined) throw missing();
  return row;
}

/** Approves the order. Money moves only when the merchant captures it. */
export function approveOrder(
  provider: Provider,
  input: {
    id: string;
    instrument: Instrument;
    taken?: { amount: number | null; currency: string | null };
  },
): OrderRow | undefined {
  return provider.db.transaction(() => {
    endDueOrders(provider);
    const order = findOrder(provider, input.id);
    if (order?.status !== 'PAYER_ACTION_REQUIRED') return order;
    const now = provider.clock.nowSeconds();
    provider.db.run(
      `update orders set status = 'APPROVED', instrument = ?, updated = ?, expires_at = ?,
         taken_amount = ?, taken_currency = ? where id = ?`,
      input.instrument,
      now,
      now + waitSeconds,
      input.taken?.amount ?? null,
      input.taken?.currency ?? null,
      order.id,
    );
    const approved = getOrder(provider, order.id);
    recordEvent(provider, {
      type: 'CHECKOUT.ORDER.APPROVED',
      resourceType: 'checkout-order',
      summary: 'An order has been approved by buyer',
      resource: wireOrder(provider, approved, true),
    });
    return approved;
  });
}

/** Expires due orders without approval; voids approved ones that were not captured. */
export function endDueOrders(provider: Provider): void {
  const { db, clock } = provider;
  const due = db.all(
    orderRow,
    `select * from orders where status in ('PAYER_ACTION_REQUIRED', 'APPROVED')
       and expires_at <= ? order by expires_at limit 500`,
    clock.nowSeconds(),
  );
  if (due.length === 0) return;
  db.transaction(() => {
    for (const order of due) {
      const status = order.status === 'APPROVED' ? 'VOIDED' : 'EXPIRED';
      setStatus(provider, order.id, status);
      if (status === 'VOIDED') announceReversal(provider, order);
    }
  });
}

/** The return URL of the shop with the provider's query parameters. */
export function returnUrlOf(order: OrderRow): string {
  const url = new URL(order.return_url);
  url.searchParams.set('token', order.id);
  url.searchParams.set('PayerID', 'QYR5Z8XDVJNXQ');
  return url.href;
}

export function setStatus(provider: Provider, id: string, status: OrderRow['status']): void {
  provider.db.run(
    'update orders set status = ?, updated = ? where id = ?',
    status,
    provider.clock.nowSeconds(),
    id,
  );
}

export function wireOrder(provider: Provider, row: OrderRow, wantsAll: boolean): WireObject {
  const captures = provider.db.all(
    captureRow,
    'select * from charges where order_id = ? order by rowid',
    row.id,
  );
  const refunds = captures.flatMap(({ id }) =>
    provider.db.all(refundRow, 'select * from refunds where capture = ? order by rowid', id),
  );
  return orderObject(row, {
    publicUrl: provider.publicUrl(),
    payments: { captures, refunds },
    wantsAll,
  });
}

function announceReversal(provider: Provider, order: OrderRow): void {
  recordEvent(provider, {
    type: 'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
    resourceType: 'payment_approval',
    summary: 'A payment has been reversed after approval.',
    resource: {
      order_id: order.id,
      purchase_units: [
        {
          reference_id: order.reference_id,
          custom_id: order.custom_id,
          invoice_id: order.invoice_id,
        },
      ],
      payment_source: { paypal: {} },
      create_time: timeOf(order.created),
    },
  });
}
