import type { Database } from './database.ts';
import { type Only, type PageRequest, pageOf } from './pages.ts';
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

/** A recorded attempt to send an event, common to all providers. */
export const deliveryRow = object(deliveryFields);

/** The same with the id of the signing key, for providers with several keys. */
export const keyedDeliveryRow = object({ ...deliveryFields, serial: nullable(text) });

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

/** Records of one kind: their table, and how a row is presented. */
type Listing<Row> = { table: string; reader: Reader<Row>; wire: (row: Row) => object };

/** Read access to the records of one kind, independent of their row type. */
export type Records = {
  count(db: Database): number;
  newest(db: Database, limit: number): object[];
  /** One page of the records, oldest first. */
  page(
    db: Database,
    page: PageRequest,
    only?: Only,
  ): { entries: { seq: number; record: object }[]; next: number | null };
};

export function recordsOf<Row>({ table, reader, wire }: Listing<Row>): Records {
  return {
    count: (db) => countOf(db, table),
    newest: (db, limit) => newest(db, { table, reader, limit }).map(wire),
    page: (db, page, only) => {
      const { rows, next } = pageOf(db, {
        table,
        reader,
        page,
        ...(only === undefined ? {} : { only }),
      });
      return { entries: rows.map(({ seq, row }) => ({ seq, record: wire(row) })), next };
    },
  };
}

/** Stands in for a kind of record that a provider does not have. */
export const noRecords: Records = {
  count: () => 0,
  newest: () => [],
  page: () => ({ entries: [], next: null }),
};

export const deliveryRecords = deliveriesRead(deliveryRow);
export const keyedDeliveryRecords = deliveriesRead(keyedDeliveryRow);

function deliveriesRead<Row extends { event_id: string }>(reader: Reader<Row>): Records {
  const wire = ({ event_id, ...row }: Row) => ({ eventId: event_id, ...row });
  return recordsOf({ table: 'webhook_deliveries', reader, wire });
}

/** The newest records of each kind up to the limit, with the counts of all records. */
export function allRecords(
  db: Database,
  kinds: Readonly<Record<string, Records>>,
  limit: number,
): Record<string, unknown> {
  const requests = countOf(db, 'requests');
  const each = Object.entries(kinds);
  return {
    counts: { ...Object.fromEntries(each.map(([kind, { count }]) => [kind, count(db)])), requests },
    ...Object.fromEntries(each.map(([kind, found]) => [kind, found.newest(db, limit)])),
    requests,
  };
}

/** The deliveries that the receiver acknowledged, in the order of their acknowledgement. */
export function acknowledgedPage<Row extends ReadBy<typeof deliveryRow>>(
  db: Database,
  { reader, page }: { reader: Reader<Row>; page: PageRequest },
) {
  const { rows, next } = pageOf(db, {
    table: 'webhook_deliveries',
    reader,
    page,
    only: { where: 'outcome = ?', values: ['delivered'] },
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
