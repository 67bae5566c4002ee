import { html } from '../platform/html.ts';
import { providerOverview } from '../platform/provider-overview.ts';
import { auditStatusOf } from './disputes.ts';
import { displayAmount } from './money.ts';
import { timeOf } from './objects.ts';
import type { Provider } from './provider.ts';
import { captureRow, disputeRow, orderRow, refundRow } from './rows.ts';

export function overview({ db, settings }: Provider): string {
  return providerOverview(db, {
    title: 'Sandbox Wallet',
    tablesCounted: {
      Orders: 'orders',
      Captures: 'charges',
      Refunds: 'refunds',
      Disputes: 'disputes',
    },
    news: { title: 'Webhooks', to: settings.webhookUrl ?? 'nowhere' },
    tables: (latest) => [
      {
        title: 'Orders',
        columns: ['Created', 'Order', 'Payment', 'Item', 'Amount', 'Status'],
        rows: latest('orders', orderRow).map((row) => [
          timeOf(row.created),
          html`<a href="/checkoutnow?token=${row.id}">${row.id}</a>`,
          row.reference_id,
          row.description,
          displayAmount(row.amount, row.currency),
          row.status,
        ]),
      },
      {
        title: 'Captures',
        columns: ['Created', 'Capture', 'Payment', 'Amount', 'Refunded', 'Status'],
        rows: latest('charges', captureRow).map((row) => [
          timeOf(row.created),
          html`<a href="/__sandbox/charges?paymentId=${row.payment_id}">${row.id}</a>`,
          row.payment_id,
          displayAmount(row.amount, row.currency),
          displayAmount(row.amount_refunded, row.currency),
          row.status,
        ]),
      },
      {
        title: 'Refunds',
        columns: ['Created', 'Refund', 'Capture', 'Amount', 'Status'],
        rows: latest('refunds', refundRow).map((row) => [
          timeOf(row.created),
          row.id,
          row.capture,
          displayAmount(row.amount, row.currency),
          row.status,
        ]),
      },
      {
        title: 'Disputes',
        columns: ['Created', 'Dispute', 'Capture', 'Amount', 'Reason', 'Status'],
        rows: latest('disputes', disputeRow).map((row) => [
          timeOf(row.created),
          row.id,
          row.capture,
          displayAmount(row.amount, row.currency),
          row.reason,
          auditStatusOf(row),
        ]),
      },
    ],
  });
}
