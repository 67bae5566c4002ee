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
export function queryNumber(request: FastifyRequest, key: string): number | undefined {
  const sent = queryText(request, key);
  if (sent === undefined) return undefined;
  return whole(/^-?\d+$/.test(sent) ? Number(sent) : sent, key);
}

/** Records with a number above `after`, oldest first; `next` is what to ask for then, if anything. */
export function pageOf<Row>(
  db: Database,
  input: {
    table: string;
    reader: Reader<Row>;
    page: PageRequest;
    only?: { column: string; value: SQLInputValue };
  },
): Page<Row> {
  const { table, reader, page, only } = input;
  const found = db.all(
    numbered(reader),
    `select rowid as seq, * from ${table}
     where rowid > ? ${only === undefined ? '' : `and ${only.column} = ?`} order by rowid limit ?`,
    page.after,
    ...(only === undefined ? [] : [only.value]),
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
