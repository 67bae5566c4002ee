import type { Database } from './database.ts';
import { type OverviewTable, overviewPage } from './overview-page.ts';
import { countOf, deliveryRow, newest } from './records.ts';
import type { ReadBy, Reader } from './shape.ts';

const shown = 50;

/** The newest rows of a table, as many as the overview page shows. */
type Latest = <Row>(table: string, reader: Reader<Row>) => Row[];

type Delivery = ReadBy<typeof deliveryRow> & { serial?: string | null };

/** The overview page of a payment provider, including the events that it has sent. */
export function providerOverview(
  db: Database,
  input: {
    title: string;
    /** The counts, by the label shown on the page. */
    tablesCounted: Readonly<Record<string, string>>;
    tables: (latest: Latest) => readonly OverviewTable[];
    news: { title: string; to: string; reader?: Reader<Delivery> };
  },
): string {
  const { news } = input;
  const latest: Latest = (table, reader) => newest(db, { table, reader, limit: shown });
  const deliveries = latest<Delivery>('webhook_deliveries', news.reader ?? deliveryRow);
  return overviewPage({
    title: input.title,
    lead: 'What this test provider has seen, newest first. No real money moves here.',
    facts: [
      ...Object.entries(input.tablesCounted).map(([label, table]): [string, number] => [
        label,
        countOf(db, table),
      ]),
      [news.title, countOf(db, 'webhook_deliveries')],
      [`${news.title} go to`, news.to],
    ],
    tables: [
      ...input.tables(latest),
      {
        title: news.title,
        columns: ['Sent', 'Type', 'Event', 'Copy', 'Attempt', 'Outcome', 'Status', 'Signature'],
        rows: deliveries.map((row) => [
          ...[row.at, row.type, row.event_id, row.copy, row.attempt, row.outcome, row.status],
          [row.signature, row.serial ?? ''].join(' ').trim(),
        ]),
      },
    ],
  });
}
