import { type Html, html } from '../platform/html.ts';
import { overviewPage } from '../platform/overview-page.ts';
import { newest } from '../platform/records.ts';
import type { Reader } from '../platform/shape.ts';
import { displayYuan } from './cashier-page.ts';
import { codeUrlOf } from './orders.ts';
import type { Provider } from './provider.ts';
import { counts, deliveries } from './records.ts';
import { chargeRow, type OrderRow, orderRow, refundRow } from './rows.ts';
import { wireTime } from './times.ts';

const shown = 50;

export function overview(provider: Provider): string {
  const count = counts(provider);
  const latest = <Row>(table: string, reader: Reader<Row>) =>
    newest(provider.db, { table, reader, limit: shown });
  return overviewPage({
    title: 'Sandbox WeChat Pay',
    lead: 'What this test provider has seen, newest first. No real money moves here.',
    facts: [
      ['Orders', count.sessions],
      ['Payments', count.charges],
      ['Refunds', count.refunds],
      ['Notifications', count.webhookDeliveries],
      ['Notifications go to', provider.settings.webhookUrl ?? 'where each order says'],
    ],
    tables: [
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
      {
        title: 'Notifications',
        columns: ['Sent', 'Type', 'Event', 'Copy', 'Attempt', 'Outcome', 'Status', 'Signature'],
        rows: deliveries(provider, shown).map((row) => [
          ...[row.at, row.type, row.eventId, row.copy, row.attempt, row.outcome, row.status],
          `${row.signature} ${row.serial ?? ''}`,
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
