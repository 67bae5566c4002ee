import { isoTime } from '../platform/clock.ts';
import { html } from '../platform/html.ts';
import { providerOverview } from '../platform/provider-overview.ts';
import { displayAmount } from './money.ts';
import type { Provider } from './provider.ts';
import { chargeRow, disputeRow, refundRow, sessionRow } from './rows.ts';

export function overview({ db, settings }: Provider): string {
  return providerOverview(db, {
    title: 'Sandbox Pay',
    tablesCounted: {
      Sessions: 'sessions',
      Charges: 'charges',
      Refunds: 'refunds',
      Disputes: 'disputes',
    },
    news: { title: 'Webhooks', to: settings.webhookUrl ?? 'nowhere' },
    tables: (latest) => [
      {
        title: 'Sessions',
        columns: ['Created', 'Session', 'Payment', 'Item', 'Amount', 'Status'],
        rows: latest('sessions', sessionRow).map((row) => [
          isoTime(row.created),
          html`<a href="/c/pay/${row.id}">${row.id.slice(0, 18)}…</a>`,
          row.metadata.paymentId ?? row.client_reference_id,
          row.line_items.map((item) => item.name).join(', '),
          displayAmount(row.amount_total, row.currency),
          row.status,
        ]),
      },
      {
        title: 'Charges',
        columns: ['Created', 'Charge', 'Payment', 'Amount', 'Refunded'],
        rows: latest('charges', chargeRow).map((row) => [
          isoTime(row.created),
          html`<a href="/__sandbox/charges?paymentId=${row.payment_id}">${row.id}</a>`,
          row.payment_id,
          displayAmount(row.amount, row.currency),
          displayAmount(row.amount_refunded, row.currency),
        ]),
      },
      {
        title: 'Refunds',
        columns: ['Created', 'Refund', 'Charge', 'Amount', 'Reason', 'Status'],
        rows: latest('refunds', refundRow).map((row) => [
          isoTime(row.created),
          row.id,
          row.charge,
          displayAmount(row.amount, row.currency),
          row.reason,
          row.status,
        ]),
      },
      {
        title: 'Disputes',
        columns: ['Created', 'Dispute', 'Charge', 'Amount', 'Reason', 'Status'],
        rows: latest('disputes', disputeRow).map((row) => [
          isoTime(row.created),
          row.id,
          row.charge,
          displayAmount(row.amount, row.currency),
          row.reason,
          row.status,
        ]),
      },
    ],
  });
}
