import type { SQLInputValue } from 'node:sqlite';
import { object, type Reader, whole } from '../platform/shape.ts';
import { invalid } from './failure.ts';
import type { Form } from './form.ts';
import type { WireObject } from './objects.ts';
import { group, optionalText, optionalWhole, type Params, refuseUnknown } from './params.ts';
import type { Provider } from './provider.ts';

/** One page of a list, newest first, with the requested filters and cursor. */
export function listPage<Row extends { id: string }>(
  provider: Provider,
  input: {
    form: Form;
    url: string;
    table: 'balance_transactions' | 'charges' | 'refunds' | 'disputes' | 'events';
    filters: readonly string[];
    reader: Reader<Row>;
    wire: (row: Row) => WireObject;
  },
): WireObject {
  const { form, url, table, filters, reader, wire } = input;
  const params: Params = { form, at: '' };
  refuseUnknown(params, ['limit', 'starting_after', 'created', 'expand', ...filters]);
  const limit = optionalWhole(params, 'limit') ?? 10;
  if (limit < 1 || limit > 100) {
    throw invalid('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer');
  }

  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  for (const filter of filters) {
    const value = optionalText(params, filter, 200);
    if (value === null) continue;
    conditions.push(`${filter} = ?`);
    values.push(value);
  }
  for (const [sql, value] of createdRange(params)) {
    conditions.push(sql);
    values.push(value);
  }
  const cursor = optionalText(params, 'starting_after', 200);
  if (cursor !== null) {
    conditions.push('rowid < ?');
    values.push(rowidOf(provider, { table, id: cursor }));
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const rows = provider.db.all(
    reader,
    `select * from ${table} ${where} order by rowid desc limit ?`,
    ...values,
    limit + 1,
  );
  return {
    object: 'list',
    url,
    has_more: rows.length > limit,
    data: rows.slice(0, limit).map(wire),
  };
}

function createdRange(params: Params): [sql: string, value: number][] {
  if (typeof params.form.created === 'string') {
    return [['created = ?', optionalWhole(params, 'created') ?? 0]];
  }
  const range = group(params, 'created');
  if (range === null) return [];
  const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
  refuseUnknown(range, Object.keys(comparisons));
  return Object.entries(comparisons).flatMap(([key, sign]) => {
    const value = optionalWhole(range, key);
    return value === null ? [] : [[`created ${sign} ?`, value]];
  });
}

function rowidOf(provider: Provider, input: { table: string; id: string }): number {
  const { table, id } = input;
  const row = provider.db.one(
    object({ rowid: whole }),
    `select rowid as rowid from ${table} where id = ?`,
    id,
  );
  if (row === undefined) throw invalid(`No such object: '${id}'`, 'starting_after');
  return row.rowid;
}
