import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Db, isInTransaction, type Sql, type Tx } from './db.ts';
import { log } from './log.ts';

/** A table that operators write, and what a row of it has to look like. */
interface OperatorTable<Row> {
  table: string;
  /** The columns that name a row. */
  key: readonly string[];
  row: z.ZodType<Row>;
}

/** A row that is set aside, and why: the fields that are wrong, and never what they say. */
export interface UnusableRow {
  table: string;
  key: string;
  reason: string;
}

const Raw = z.record(z.string(), z.unknown());

interface RowsRead<Row> {
  rows: Row[];
  /** With what the statement said of them, and at which place of its answer. */
  unusable: (UnusableRow & { raw: z.output<typeof Raw>; position: number })[];
}

/**
 * Reads what operators have written. A row that cannot be read is set aside and named in the log, so that
 * it takes nothing else down with it.
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
      forget(db, { table, key });
    } else {
      const unusable = { table, key, reason: reasonOf(parsed.error) };
      read.unusable.push({ ...unusable, raw, position });
      nameOnce(db, unusable, raw);
    }
  }
  return read;
}

const namedIn = new WeakMap<object, Map<string, string>>();

/** Names a row in the log, once for each state of it that this process meets. */
export function nameOnce(db: Db | Tx, { table, key, reason }: UnusableRow, state: object): void {
  // A transaction is over in a moment and remembers nothing; whoever reads outside of one says it.
  if (isInTransaction()) return;
  const named = namedIn.get(db) ?? new Map<string, string>();
  namedIn.set(db, named);
  const print = fingerprint([reason, state]);
  if (named.get(`${table} ${key}`) === print) return;
  named.set(`${table} ${key}`, print);
  log.error({ table, key, reason }, 'a row cannot be used and is set aside');
}

function forget(db: Db | Tx, { table, key }: Pick<UnusableRow, 'table' | 'key'>): void {
  namedIn.get(db)?.delete(`${table} ${key}`);
}

function fingerprint(state: unknown): string {
  const text = JSON.stringify(state, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('base64url');
}

const reasonLengthMax = 300;

function reasonOf({ issues }: z.ZodError): string {
  const reasons = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return reasons.join('; ').slice(0, reasonLengthMax);
}
