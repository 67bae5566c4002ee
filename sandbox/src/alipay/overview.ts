import { displayYuan } from '../platform/beijing.ts';
import { html } from '../platform/html.ts';
import { providerOverview } from '../platform/provider-overview.ts';
import type { Provider } from './provider.ts';
import { chargeRow, orderRow, refundRow } from './rows.ts';
import { wireTime } from './times.ts';

export function overview({ db, settings }: Provider): string {
  return providerOverview(db, {
    title: 'Sandbox Alipay',
    tablesCounted: { Orders: 'orders', Payments: 'charges', Refunds: 'refunds' },
    news: { title: 'Notifications', to: settings.webhookUrl ?? 'where each order says' },
    tables: (latest) => [
      {
        title: 'Orders',
        columns: ['Created', 'Order', 'Pay', 'Payment', 'Item', 'Amount', 'State'],
        rows: latest('orders', orderRow).map((row) => [
          wireTime(row.created),
          row.out_trade_no,
          html`<a href="/cashier/${row.token}">${row.scene === 'qr' ? 'Scan' : 'Cashier'}</a>`,
          row.payment_id,
          row.subject,
          displayYuan(row.total),
          row.state,
        ]),
      },
      {
        title: 'Payments',
        columns: ['Created', 'Trade', 'Payment', 'Amount', 'Refunded'],
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
        columns: ['Created', 'Request', 'Trade', 'Amount', 'Status'],
        rows: latest('refunds', refundRow).map((row) => [
          ...[wireTime(row.created), row.id, row.charge, displayYuan(row.amount), row.status],
        ]),
      },
    ],
  });
}
