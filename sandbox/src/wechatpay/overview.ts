import { displayYuan } from '../platform/beijing.ts';
import { type Html, html } from '../platform/html.ts';
import { providerOverview } from '../platform/provider-overview.ts';
import { keyedDeliveryRow } from '../platform/records.ts';
import { codeUrlOf } from './payments.ts';
import type { Provider } from './provider.ts';
import { chargeRow, type OrderRow, orderRow, refundRow } from './rows.ts';
import { wireTime } from './times.ts';

export function overview({ db, settings }: Provider): string {
  return providerOverview(db, {
    title: 'Sandbox WeChat Pay',
    tablesCounted: { Orders: 'orders', Payments: 'charges', Refunds: 'refunds' },
    news: {
      title: 'Notifications',
      to: settings.webhookUrl ?? 'where each order says',
      reader: keyedDeliveryRow,
    },
    tables: (latest) => [
      {
        title: 'Orders',
        columns: ['Created', 'Order', 'Pay', 'Payment', 'Item', 'Amount', 'State'],
        rows: latest('orders', orderRow).map((row) => [
          wireTime(row.created),
          row.out_trade_no,
          wayToPay(row),
          row.payment_id,
          row.description,
          displayYuan(row.total),
          row.state,
        ]),
      },
      {
        title: 'Payments',
        columns: ['Created', 'Transaction', 'Payment', 'Amount', 'Refunded'],
        rows: latest('charges', chargeRow).map((row) => [
          wireTime(row.created),
          html`<a href="/__sandbox/charges?paymentId=${row.payment_id}">${row.id}</a>`,
          row.payment_id,
          displayYuan(row.amount),
          displayYuan(row.amount_refunded),
        ]),
      },
      {
        title: 'Refunds',
        columns: ['Created', 'Refund', 'Number', 'Transaction', 'Amount', 'Status'],
        rows: latest('refunds', refundRow).map((row) => [
          wireTime(row.created),
          row.id,
          row.out_refund_no,
          row.charge,
          displayYuan(row.amount),
          row.status,
        ]),
      },
    ],
  });
}

function wayToPay(order: OrderRow): Html {
  return order.scene === 'native'
    ? html`<a href="/scan?code=${encodeURIComponent(codeUrlOf(order))}">Scan</a>`
    : html`<a href="/cashier/${order.prepay_id}">Cashier</a>`;
}
