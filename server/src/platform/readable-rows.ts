import { z } from 'zod';
import { type Db, isInTransaction, type Sql, type Tx } from './db.ts';
import { log } from './log.ts';

/** A table that operators write, with the schema of its rows. */
interface OperatorTable<Row> {
  table: string;
  /** The key columns of a row. */
  key: readonly string[];
  row: z.ZodType<Row>;
}

/** A malformed row with the reason: the names of its wrong fields, never their values. */
export interface UnusableRow {
  table: string;
  key: string;
  reason: string;
}

const Raw = z.record(z.string(), z.unknown());

interface RowsRead<Row> {
  rows: Row[];
  /** Malformed rows with their raw values and their positions in the result. */
  unusable: (UnusableRow & { raw: z.output<typeof Raw>; position: number })[];
}

/**
 * Reads rows that operators have written. A malformed row is skipped and logged, so that it does
 * not affect other rows.
 */
export async function readRows<Row>(
  db: Db | Tx,
  { table, key: keyColumns, row: schema }: OperatorTable<Row>,
  statement: Sql,
): Promise<RowsRead<Row>> {
  const read: RowsRead<Row> = { rows: [], unusable: [] };
  for (const [position, raw] of (await db.many(Raw, statement)).entries()) {
    const key = keyColumns.map((column) => String(raw[column])).join('/');
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      read.rows.push(parsed.data);
    } else {
      const unusable = { table, key, reason: reasonOf(parsed.error) };
      read.unusable.push({ ...unusable, raw, position });
      nameOnce(db, unusable);
    }
  }
  return read;
}

const namedIn = new WeakMap<object, Set<string>>();

/**
 * Logs a malformed row once per reason and process, because most rows are read repeatedly in
 * several ways. If it becomes malformed again, its case is opened again.
 */
export function nameOnce(db: Db | Tx, { table, key, reason }: UnusableRow): void {
  // Not within a transaction, whose state is temporary; reads outside of one log the row.
  if (isInTransaction()) return;
  const named = namedIn.get(db) ?? new Set<string>();
  namedIn.set(db, named);
  const name = `${table} ${key}: ${reason}`;
  if (named.has(name)) return;
  named.add(name);
  log.error({ table, key, reason }, 'a row cannot be used and is set aside');
}

const reasonLengthMax = 300;

function reasonOf({ issues }: z.ZodError): string {
  const reasons = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return reasons.join('; ').slice(0, reasonLengthMax);
}
