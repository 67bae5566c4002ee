import { html } from '../platform/html.ts';
import { overviewPage } from '../platform/overview-page.ts';
import { newest } from '../platform/records.ts';
import type { Reader } from '../platform/shape.ts';
import { auditStatusOf } from './disputes.ts';
import { displayAmount } from './money.ts';
import { timeOf } from './objects.ts';
import type { Provider } from './provider.ts';
import { counts, deliveries } from './records.ts';
import { captureRow, disputeRow, orderRow, refundRow } from './rows.ts';

const shown = 50;

export function overview(provider: Provider): string {
  const count = counts(provider);
  const latest = <Row>(table: string, reader: Reader<Row>) =>
    newest(provider.db, { table, reader, limit: shown });
  return overviewPage({
    title: 'Sandbox Wallet',
    lead: 'What this test provider has seen, newest first. No real money moves here.',
    facts: [
      ['Orders', count.orders],
      ['Captures', count.charges],
      ['Refunds', count.refunds],
      ['Disputes', count.disputes],
      ['Webhook attempts', count.webhookDeliveries],
      ['Webhooks go to', provider.settings.webhookUrl ?? 'nowhere'],
    ],
    tables: [
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
      {
        title: 'Webhook deliveries',
        columns: ['Sent', 'Type', 'Event', 'Copy', 'Attempt', 'Outcome', 'Status', 'Signature'],
        rows: deliveries(provider, shown).map((row) => [
          row.at,
          row.type,
          row.eventId,
          row.copy,
          row.attempt,
          row.outcome,
          row.status,
          row.signature,
        ]),
      },
    ],
  });
}
