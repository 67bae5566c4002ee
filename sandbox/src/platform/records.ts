import type { Database } from './database.ts';
import { type PageRequest, pageOf } from './pages.ts';
import { nullable, object, type ReadBy, type Reader, text, whole } from './shape.ts';

const deliveryFields = {
  id: whole,
  event_id: text,
  type: text,
  copy: whole,
  attempt: whole,
  outcome: text,
  status: nullable(whole),
  signature: text,
  at: text,
};

/** An attempt to send an event, as every provider remembers it. */
export const deliveryRow = object(deliveryFields);

/** The same with the name of the key that signed, for providers that have several. */
export const keyedDeliveryRow = object({ ...deliveryFields, serial: nullable(text) });

export function deliveryRecord<Row extends { event_id: string }>({ event_id, ...row }: Row) {
  return { eventId: event_id, ...row };
}

export function newest<Row>(
  db: Database,
  input: { table: string; reader: Reader<Row>; limit: number },
): Row[] {
  const { table, reader, limit } = input;
  return db.all(reader, `select * from ${table} order by rowid desc limit ?`, limit);
}

export function countOf(db: Database, table: string): number {
  return db.one(object({ n: whole }), `select count(*) as n from ${table}`)?.n ?? 0;
}

/** Records of one kind: where they are, and how they are told of. */
type Listing<Row> = { table: string; reader: Reader<Row>; wire: (row: Row) => object };

/** What an auditor reads page by page, whatever its rows are. */
export type Records = (
  db: Database,
  page: PageRequest,
  only?: { column: string; value: string | number },
) => { entries: { seq: number; record: object }[]; next: number | null };

export function recordsOf<Row>({ table, reader, wire }: Listing<Row>): Records {
  return (db, page, only) => {
    const { rows, next } = pageOf(db, {
      ...{ table, reader, page },
      ...(only === undefined ? {} : { only }),
    });
    return { entries: rows.map(({ seq, row }) => ({ seq, record: wire(row) })), next };
  };
}

/** Of what a provider does not have. */
export const noRecords: Records = () => ({ entries: [], next: null });

/** Every time the receiver said that it has an event, in the order in which it said so. */
export function acknowledgedPage<Row extends ReadBy<typeof deliveryRow>>(
  db: Database,
  { reader, page }: { reader: Reader<Row>; page: PageRequest },
) {
  const { rows, next } = pageOf(db, {
    table: 'webhook_deliveries',
    reader,
    page,
    only: { column: 'outcome', value: 'delivered' },
  });
  const acknowledged = rows.map(({ seq, row }) => ({
    seq,
    eventId: row.event_id,
    type: row.type,
    signature: row.signature,
    at: row.at,
  }));
  return { acknowledged, next };
}
