import { isoTime } from '../platform/clock.ts';
import { html } from '../platform/html.ts';
import { providerOverview } from '../platform/provider-overview.ts';
import { displayAmount } from './money.ts';
import type { Provider } from './provider.ts';
import { chargeRow, disputeRow, refundRow, sessionRow } from './rows.ts';

export function overview({ db, settings }: Provider): string {
  const money = (row: { amount: number; currency: string }) =>
    displayAmount(row.amount, row.currency);
  return providerOverview(db, {
    title: 'Sandbox Adyen',
    tablesCounted: {
      Sessions: 'sessions',
      Payments: 'charges',
      Refunds: 'refunds',
      Disputes: 'disputes',
    },
    news: { title: 'Webhooks', to: settings.webhookUrl ?? 'nobody' },
    tables: (latest) => [
      {
        title: 'Sessions',
        columns: ['Created', 'Session', 'Payment', 'Item', 'Amount', 'Status'],
        rows: latest('sessions', sessionRow).map((row) => [
          isoTime(row.created),
          html`<a href="/hosted/${row.id}">${row.id}</a>`,
          ...[row.payment_id, row.item, money(row), row.status],
        ]),
      },
      {
        title: 'Payments',
        columns: ['Created', 'Reference', 'Payment', 'Amount', 'Refunded'],
        rows: latest('charges', chargeRow).map((row) => [
          isoTime(row.created),
          html`<a href="/__sandbox/charges?paymentId=${row.payment_id}">${row.id}</a>`,
          ...[row.payment_id, money(row), displayAmount(row.amount_refunded, row.currency)],
        ]),
      },
      {
        title: 'Refunds',
        columns: ['Created', 'Refund', 'Merchant’s reference', 'Of payment', 'Amount', 'Status'],
        rows: latest('refunds', refundRow).map((row) => [
          ...[isoTime(row.created), row.id, row.reference, row.charge, money(row), row.status],
        ]),
      },
      {
        title: 'Disputes',
        columns: ['Created', 'Dispute', 'Of payment', 'Amount', 'Reason', 'Status'],
        rows: latest('disputes', disputeRow).map((row) => [
          ...[isoTime(row.created), row.id, row.charge, money(row), row.reason, row.status],
        ]),
      },
    ],
  });
}
