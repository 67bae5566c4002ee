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
 * Names a row in the log, once for each reason in this process: most rows are read again and again, in many
 * ways. Its case says when it breaks again.
 */
export function nameOnce(db: Db | Tx, { table, key, reason }: UnusableRow): void {
  // A transaction is over in a moment and remembers nothing; whoever reads outside of one says it.
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
