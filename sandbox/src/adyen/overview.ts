import { html } from '../platform/html.ts';
import { overviewPage } from '../platform/overview-page.ts';
import { newest } from '../platform/records.ts';
import type { Reader } from '../platform/shape.ts';
import { displayAmount } from './money.ts';
import type { Provider } from './provider.ts';
import { counts, deliveries } from './records.ts';
import { chargeRow, disputeRow, refundRow, sessionRow } from './rows.ts';

const shown = 50;

export function overview(provider: Provider): string {
  const count = counts(provider);
  const latest = <Row>(table: string, reader: Reader<Row>) =>
    newest(provider.db, { table, reader, limit: shown });
  const money = (row: { amount: number; currency: string }) =>
    displayAmount(row.amount, row.currency);
  return overviewPage({
    title: 'Sandbox Adyen',
    lead: 'What this test provider has seen, newest first. No real money moves here.',
    facts: [
      ['Sessions', count.sessions],
      ['Payments', count.charges],
      ['Refunds', count.refunds],
      ['Disputes', count.disputes],
      ['Webhooks', count.webhookDeliveries],
      ['Webhooks go to', provider.settings.webhookUrl ?? 'nobody'],
    ],
    tables: [
      {
        title: 'Sessions',
        columns: ['Created', 'Session', 'Payment', 'Item', 'Amount', 'Status'],
        rows: latest('sessions', sessionRow).map((row) => [
          timeOf(row.created),
          html`<a href="/hosted/${row.id}">${row.id}</a>`,
          ...[row.payment_id, row.item, money(row), row.status],
        ]),
      },
      {
        title: 'Payments',
        columns: ['Created', 'Reference', 'Payment', 'Amount', 'Refunded'],
        rows: latest('charges', chargeRow).map((row) => [
          timeOf(row.created),
          html`<a href="/__sandbox/charges?paymentId=${row.payment_id}">${row.id}</a>`,
          ...[row.payment_id, money(row), displayAmount(row.amount_refunded, row.currency)],
        ]),
      },
      {
        title: 'Refunds',
        columns: ['Created', 'Refund', 'Merchant’s reference', 'Of payment', 'Amount', 'Status'],
        rows: latest('refunds', refundRow).map((row) => [
          ...[timeOf(row.created), row.id, row.reference, row.charge, money(row), row.status],
        ]),
      },
      {
        title: 'Disputes',
        columns: ['Created', 'Dispute', 'Of payment', 'Amount', 'Reason', 'Status'],
        rows: latest('disputes', disputeRow).map((row) => [
          ...[timeOf(row.created), row.id, row.charge, money(row), row.reason, row.status],
        ]),
      },
      {
        title: 'Webhooks',
        columns: ['Sent', 'Type', 'Event', 'Copy', 'Attempt', 'Outcome', 'Status', 'Signature'],
        rows: deliveries(provider, shown).map((row) => [
          ...[row.at, row.type, row.eventId, row.copy, row.attempt, row.outcome, row.status],
          row.signature,
        ]),
      },
    ],
  });
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
