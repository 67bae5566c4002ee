import type { WireObject } from './call.ts';
import { apiHost } from './certificates.ts';
import { wireMoney } from './money.ts';
import type { CaptureRow, OrderRow, RefundRow } from './rows.ts';

export const merchantId = 'SANDBOXMERCH1';

/** The captures and refunds of an order so far. */
type Payments = { captures: CaptureRow[]; refunds: RefundRow[] };

export function orderObject(
  row: OrderRow,
  input: { publicUrl: string; payments: Payments; wantsAll: boolean },
): WireObject {
  const base = { id: row.id, status: row.status, links: orderLinks(row, input.publicUrl) };
  if (!input.wantsAll) return { ...base, payment_source: { paypal: {} } };
  const { captures, refunds } = input.payments;
  const payments = {
    captures: captures.map((capture) => captureObject(capture)),
    ...(refunds.length === 0 ? {} : { refunds: refunds.map(refundObject) }),
  };
  return {
    ...base,
    intent: 'CAPTURE',
    payment_source: {
      paypal: row.instrument === null ? {} : { ...payer, account_id: 'QYR5Z8XDVJNXQ' },
    },
    purchase_units: [
      {
        reference_id: row.reference_id,
        amount: wireMoney(row.amount, row.currency),
        payee: { email_address: 'merchant@example.com', merchant_id: merchantId },
        ...present({
          description: row.description,
          custom_id: row.custom_id,
          invoice_id: row.invoice_id,
        }),
        ...(captures.length === 0 ? {} : { payments }),
      },
    ],
    ...(row.instrument === null ? {} : { payer: { ...payer, payer_id: 'QYR5Z8XDVJNXQ' } }),
    create_time: timeOf(row.created),
    update_time: timeOf(row.updated),
  };
}

export function captureObject(row: CaptureRow): WireObject {
  const fee = feeOf(row.amount);
  return {
    id: row.id,
    status: row.status,
    ...(row.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: wireMoney(row.amount, row.currency),
    final_capture: true,
    seller_protection: { status: 'NOT_ELIGIBLE' },
    seller_receivable_breakdown: {
      gross_amount: wireMoney(row.amount, row.currency),
      paypal_fee: wireMoney(fee, row.currency),
      net_amount: wireMoney(row.amount - fee, row.currency),
    },
    ...present({ custom_id: row.custom_id, invoice_id: row.invoice_id }),
    supplementary_data: { related_ids: { order_id: row.order_id } },
    payee: { email_address: 'merchant@example.com', merchant_id: merchantId },
    create_time: timeOf(row.created),
    update_time: timeOf(row.updated),
    links: [
      link('self', `/v2/payments/captures/${row.id}`, 'GET'),
      link('refund', `/v2/payments/captures/${row.id}/refund`, 'POST'),
      link('up', `/v2/checkout/orders/${row.order_id}`, 'GET'),
    ],
  };
}

export function refundObject(row: RefundRow): WireObject {
  return {
    id: row.id,
    status: row.status,
    ...(row.status === 'PENDING' ? { status_details: { reason: 'ECHECK' } } : {}),
    amount: wireMoney(row.amount, row.currency),
    ...present({ custom_id: row.custom_id, invoice_id: row.invoice_id, note_to_payer: row.note }),
    seller_payable_breakdown: {
      gross_amount: wireMoney(row.amount, row.currency),
      paypal_fee: wireMoney(0, row.currency),
      net_amount: wireMoney(row.amount, row.currency),
      total_refunded_amount: wireMoney(row.amount, row.currency),
    },
    create_time: timeOf(row.created),
    update_time: timeOf(row.updated),
    links: [
      link('self', `/v2/payments/refunds/${row.id}`, 'GET'),
      link('up', `/v2/payments/captures/${row.capture}`, 'GET'),
    ],
  };
}

/** 3.49 % plus 49 of the smallest unit, but at most the amount itself. */
export function feeOf(amount: number): number {
  return Math.min(amount, Math.floor((amount * 349 + 5000) / 10_000) + 49);
}

export function link(rel: string, path: string, method: string) {
  return { href: `https://${apiHost}${path}`, rel, method };
}

/** Omits fields without a value, as the provider does. */
export function present(fields: Record<string, string | null>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== null) found[key] = value;
  return found;
}

export function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

const payer = {
  email_address: 'payer@example.com',
  name: { given_name: 'Test', surname: 'Payer' },
  address: { country_code: 'US' },
};

function orderLinks(row: OrderRow, publicUrl: string) {
  const payerAction = {
    href: `${publicUrl}/checkoutnow?token=${row.id}`,
    rel: 'payer-action',
    method: 'GET',
  };
  const self = link('self', `/v2/checkout/orders/${row.id}`, 'GET');
  if (row.status === 'PAYER_ACTION_REQUIRED') return [self, payerAction];
  if (row.status !== 'APPROVED') return [self];
  return [self, payerAction, link('capture', `/v2/checkout/orders/${row.id}/capture`, 'POST')];
}
