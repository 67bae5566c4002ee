import type { SQLInputValue } from 'node:sqlite';
import type { FastifyRequest } from 'fastify';
import type { Database } from './database.ts';
import { queryText } from './requests.ts';
import { isRecord, type Reader, whole } from './shape.ts';

/** `after` is the cursor: the number of the last record already read, 0 at first. */
export type PageRequest = { after: number; limit: number };

export type Page<T> = { rows: { seq: number; row: T }[]; next: number | null };

export function pageRequest(request: FastifyRequest): PageRequest {
  return {
    after: queryNumber(request, 'after') ?? 0,
    limit: Math.min(Math.max(queryNumber(request, 'limit') ?? 1000, 1), 100_000),
  };
}

/** An integer of the query string; throws on anything else. */
function queryNumber(request: FastifyRequest, key: string): number | undefined {
  const sent = queryText(request, key);
  if (sent === undefined) return undefined;
  return whole(/^-?\d+$/.test(sent) ? Number(sent) : sent, key);
}

/** A filter of records, as SQL. */
export type Only = { where: string; values: readonly SQLInputValue[] };

/**
 * Filters records by one payment id or by a range of ids. Records without a payment id belong to
 * the range whose `from` is empty.
 */
export function onlyOfPayments(request: FastifyRequest): Only {
  const [from, until] = [queryText(request, 'from'), queryText(request, 'until')];
  if (from === undefined && until === undefined) {
    return { where: 'payment_id = ?', values: [queryText(request, 'paymentId') ?? ''] };
  }
  return {
    where: `(payment_id >= ? or (? = '' and payment_id is null))
      and (? = '' or payment_id is null or payment_id < ?)`,
    values: [from ?? '', from ?? '', until ?? '', until ?? ''],
  };
}

/**
 * Records with a number above `after`, oldest first; `next` is the cursor of the next page, if any.
 */
export function pageOf<Row>(
  db: Database,
  input: {
    table: string;
    reader: Reader<Row>;
    page: PageRequest;
    only?: Only;
  },
): Page<Row> {
  const { table, reader, page, only } = input;
  const found = db.all(
    numbered(reader),
    `select rowid as seq, * from ${table}
     where rowid > ? ${only === undefined ? '' : `and ${only.where}`} order by rowid limit ?`,
    page.after,
    ...(only?.values ?? []),
    page.limit + 1,
  );
  const rows = found.slice(0, page.limit);
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.seq ?? null) : null };
}

function numbered<Row>(reader: Reader<Row>): Reader<{ seq: number; row: Row }> {
  return (value, at) => {
    const { seq, ...row } = isRecord(value) ? value : {};
    return { seq: whole(seq, `${at}.seq`), row: reader(row, at) };
  };
}
