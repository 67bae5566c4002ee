import { recordEvent } from './events.ts';
import { declined, missing, unprocessable } from './failure.ts';
import { newId } from './ids.ts';
import { displayAmount } from './money.ts';
import { book } from './movements.ts';
import { captureObject } from './objects.ts';
import { endDueOrders, getOrder, setStatus } from './payments.ts';
import type { Provider } from './provider.ts';
import { type CaptureRow, captureRow, type OrderRow } from './rows.ts';

/** Captures an order that the payer has approved. */
export function captureOrder(provider: Provider, id: string): CaptureRow {
  endDueOrders(provider);
  const order = getOrder(provider, id);
  requireApproved(order);
  requireNewInvoice(provider, order);
  if (order.instrument === 'declined') {
    sendBack(provider, order);
    throw declined();
  }

  const amount = order.taken_amount ?? order.amount;
  const currency = order.taken_currency ?? order.currency;
  const capture: CaptureRow = {
    id: newId(),
    created: provider.clock.nowSeconds(),
    updated: provider.clock.nowSeconds(),
    order_id: order.id,
    amount,
    amount_refunded: 0,
    currency,
    status: order.instrument === 'pending' ? 'PENDING' : 'COMPLETED',
    custom_id: order.custom_id,
    invoice_id: order.invoice_id,
    payment_id: order.reference_id === 'default' ? null : order.reference_id,
  };
  provider.db.insert('charges', capture);
  setStatus(provider, order.id, 'COMPLETED');
  if (capture.status === 'COMPLETED') bookCapture(provider, capture);
  announceCapture(provider, capture.id);
  return getCapture(provider, capture.id);
}

/** Settles a pending capture. */
export function settleCapture(
  provider: Provider,
  input: { id: string; status: 'COMPLETED' | 'DECLINED' },
): CaptureRow {
  const capture = getCapture(provider, input.id);
  if (capture.status !== 'PENDING') {
    throw unprocessable('CAPTURE_NOT_PENDING', `Capture ${capture.id} is ${capture.status}.`);
  }
  const isDone = input.status === 'COMPLETED';
  provider.db.run(
    'update charges set status = ?, updated = ? where id = ?',
    input.status,
    provider.clock.nowSeconds(),
    capture.id,
  );
  if (isDone) bookCapture(provider, capture);
  announceCapture(provider, capture.id);
  return getCapture(provider, capture.id);
}

export function getCapture(provider: Provider, id: string): CaptureRow {
  const row = provider.db.one(captureRow, 'select * from charges where id = ?', id);
  if (row === undefined) throw missing();
  return row;
}

function requireApproved(order: OrderRow): void {
  if (order.status === 'COMPLETED') {
    throw unprocessable(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    );
  }
  if (order.status !== 'APPROVED') {
    throw unprocessable(
      'ORDER_NOT_APPROVED',
      "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'payer-action' url returned as part of the HATEOAS links within the Create Order call.",
    );
  }
}

/** Throws if the invoice was paid before: the account blocks duplicate invoices. */
function requireNewInvoice(provider: Provider, order: OrderRow): void {
  const twin = provider.db.one(
    captureRow,
    "select * from charges where invoice_id = ? and status <> 'DECLINED' limit 1",
    order.invoice_id,
  );
  if (twin === undefined) return;
  throw unprocessable(
    'DUPLICATE_INVOICE_ID',
    'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
    '/purchase_units/0/invoice_id',
  );
}

/** The payer has to approve the order again. */
function sendBack(provider: Provider, order: OrderRow): void {
  provider.db.run('update orders set instrument = null where id = ?', order.id);
  setStatus(provider, order.id, 'PAYER_ACTION_REQUIRED');
}

function bookCapture(provider: Provider, capture: CaptureRow): void {
  book(provider, 'T0006', {
    id: capture.id,
    amount: capture.amount,
    currency: capture.currency,
    reference: capture.order_id,
    customField: capture.custom_id,
    invoiceId: capture.invoice_id,
  });
}

const captureEvents = {
  COMPLETED: 'PAYMENT.CAPTURE.COMPLETED',
  PENDING: 'PAYMENT.CAPTURE.PENDING',
  DECLINED: 'PAYMENT.CAPTURE.DECLINED',
} as const;

function announceCapture(provider: Provider, id: string): void {
  const capture = getCapture(provider, id);
  const { status } = capture;
  if (status !== 'COMPLETED' && status !== 'PENDING' && status !== 'DECLINED') return;
  const total = `${displayAmount(capture.amount, capture.currency)} ${capture.currency}`;
  recordEvent(provider, {
    type: captureEvents[status],
    resourceType: 'capture',
    summary: `Payment ${status.toLowerCase()} for ${total}`,
    resource: captureObject(capture),
  });
}
