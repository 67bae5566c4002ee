import type { SQLInputValue } from 'node:sqlite';
import type { FastifyRequest } from 'fastify';
import type { Database } from './database.ts';
import { queryText } from './requests.ts';
import { isRecord, type Reader, whole } from './shape.ts';

/** `after` is the number of the last record already seen, 0 at the beginning. */
export type PageRequest = { after: number; limit: number };

export type Page<T> = { rows: { seq: number; row: T }[]; next: number | null };

export function pageRequest(request: FastifyRequest): PageRequest {
  return {
    after: queryNumber(request, 'after') ?? 0,
    limit: Math.min(Math.max(queryNumber(request, 'limit') ?? 1000, 1), 100_000),
  };
}

/** A whole number of the query string; throws when it is something else. */
function queryNumber(request: FastifyRequest, key: string): number | undefined {
  const sent = queryText(request, key);
  if (sent === undefined) return undefined;
  return whole(/^-?\d+$/.test(sent) ? Number(sent) : sent, key);
}

/** Which records are asked for, as SQL. */
export type Only = { where: string; values: readonly SQLInputValue[] };

/**
 * Those of one payment, or of payments whose ids are in a range. Those of no payment are in the range
 * that has no beginning.
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

/** Records with a number above `after`, oldest first; `next` is what to ask for then, if anything. */
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
