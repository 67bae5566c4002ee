import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';
import type * as z from 'zod';
import { log } from './log.ts';

/** A statement and its values. Only the `sql` template makes one, so values are never pasted in. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** `${value}` becomes a parameter; `${sql`…`}` is inserted as the text it is. */
export function sql(strings: TemplateStringsArray, ...inserted: unknown[]): Sql {
  const values: unknown[] = [];
  let text = strings[0] ?? '';
  inserted.forEach((value, index) => {
    if (isSql(value)) {
      text += value.text.replace(/\$(\d+)/g, (_, digits) => `$${Number(digits) + values.length}`);
      values.push(...value.values);
    } else {
      values.push(value);
      text += `$${values.length}`;
    }
    text += strings[index + 1];
  });
  const statement = { text, values };
  made.add(statement);
  return statement;
}

const made = new WeakSet<object>();

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && made.has(value);
}

type RowSchema<T> = z.ZodType<T>;

interface Reads {
  /** Exactly one row; none or several is a bug. */
  one<T>(row: RowSchema<T>, statement: Sql): Promise<T>;
  maybeOne<T>(row: RowSchema<T>, statement: Sql): Promise<T | undefined>;
  many<T>(row: RowSchema<T>, statement: Sql): Promise<T[]>;
}

declare const insideTransaction: unique symbol;

/** An open transaction. Whatever writes takes one, and only `db.transaction` makes one. */
export interface Tx extends Reads {
  readonly [insideTransaction]: true;
  /** Runs a write and answers how many rows it touched. */
  run(statement: Sql): Promise<number>;
  /** For what may be lost and must not be early, such as telling a browser to look again. */
  afterCommit(effect: () => void): void;
}

/** The pool. It reads; PostgreSQL itself refuses a write outside `transaction`. */
export interface Db extends Reads {
  /**
   * Runs the work in one transaction. Deadlocks, serialization failures and statements that have to be
   * prepared anew run it again, so it must have no effects but its writes.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DbOptions {
  url: string;
  connectionsMax: number;
  applicationName: string;
  /** How long a connection or a lock is waited for; a statement may take three times as long. */
  waitSeconds?: number;
}

const openTransaction = new AsyncLocalStorage<true>();

export function isInTransaction(): boolean {
  return openTransaction.getStore() === true;
}

export function openDb(options: DbOptions): Db {
  const pool = openPool(options, '-c default_transaction_read_only=on');
  return {
    ...readsOn(pool),
    transaction: (work) => retrying(() => transactionOn(pool, work)),
    close: () => pool.end(),
  };
}

/**
 * Statements as they are, writes included, each by itself: what the job engine needs for its own
 * tables. Features never see it.
 */
export interface RawExecutor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
}

export function openRawExecutor(options: DbOptions): RawExecutor {
  const pool = openPool(options, '');
  return { executeSql: executorOn(pool), close: () => pool.end() };
}

/** Lets the job engine write inside our transaction. */
export function rawExecutorOf(tx: Tx): Pick<RawExecutor, 'executeSql'> {
  const client = clients.get(tx);
  if (client === undefined) throw new Error('this transaction was not made by db.transaction');
  return { executeSql: executorOn(client) };
}

function executorOn(client: Client): RawExecutor['executeSql'] {
  // Without values a text may hold several statements, which cannot be prepared.
  return (text, values = []) =>
    values.length === 0 ? client.query(text) : runAlone(client, { text, values });
}

const clients = new WeakMap<Tx, pg.PoolClient>();

export const waitMsOf = ({ waitSeconds = 5 }: Pick<DbOptions, 'waitSeconds'>) => waitSeconds * 1000;

function openPool(options: DbOptions, settings: string): pg.Pool {
  const waitMs = waitMsOf(options);
  const limits = [
    `-c lock_timeout=${waitMs}`,
    `-c statement_timeout=${3 * waitMs}`,
    `-c idle_in_transaction_session_timeout=${3 * waitMs}`,
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: waitMs,
    options: [settings, ...limits].join(' '),
    types: { getTypeParser: parserOf },
  });
  // Without a listener a connection that PostgreSQL closes would end the process. Only the message is
  // logged: the error carries the connection with the key that cancels its statements.
  pool.on('error', ({ message }) => log.warn({ cause: message }, 'a database connection was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** bigint columns become bigint: a JavaScript number would lose digits. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return (value: string) => BigInt(value);
  return format === undefined
    ? pg.types.getTypeParser(oid)
    : pg.types.getTypeParser(oid, format as 'text'); // as: the overloads do not accept the union
}

const preparedNames = new Map<string, string>();

/** Prepared once per connection: planning is most of what a short statement costs. */
function preparedName(text: string): string {
  const known = preparedNames.get(text);
  return known ?? rename(text, text);
}

function rename(text: string, seed: string): string {
  const name = createHash('sha1').update(seed).digest('base64url');
  preparedNames.set(text, name);
  return name;
}

type Client = pg.Pool | pg.PoolClient;
type Statement = Pick<Sql, 'text'> & { values: readonly unknown[] };

/**
 * A statement that answers all columns of a table cannot be used any more as it was prepared once a
 * migration has added a column. It gets another name, so that the next try prepares it anew, whatever
 * connection that is on.
 */
async function runPrepared(client: Client, { text, values }: Statement) {
  const name = preparedName(text);
  try {
    return await client.query({ name, text, values: [...values] });
  } catch (error) {
    if (isStale(error) && preparedName(text) === name) rename(text, `${name} ${text}`);
    throw error;
  }
}

function isStale(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** Outside a transaction nothing was done yet by a statement that has to be prepared anew. */
function runAlone(client: Client, statement: Statement) {
  return runPrepared(client, statement).catch((error: unknown) => {
    if (!isStale(error) || !(client instanceof pg.Pool)) throw error;
    return runPrepared(client, statement);
  });
}

function readsOn(client: Client): Reads {
  const rows = async <T>(row: RowSchema<T>, { text, values }: Sql): Promise<T[]> => {
    const result = await runAlone(client, { text, values });
    return result.rows.map((found) => row.parse(found));
  };
  const maybeOne = async <T>(row: RowSchema<T>, statement: Sql) => {
    const found = await rows(row, statement);
    if (found.length > 1) throw new Error(`expected one row, found ${found.length}`);
    return found[0];
  };
  return {
    many: rows,
    maybeOne,
    one: async (row, statement) => {
      const found = await maybeOne(row, statement);
      if (found === undefined) throw new Error('expected one row, found none');
      return found;
    },
  };
}

async function transactionOn<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isInTransaction()) throw new Error('a transaction was opened inside another one');
  const client = await pool.connect();
  const effects: (() => void)[] = [];
  let broken: Error | undefined;
  try {
    await client.query('begin read write');
    const tx = txOn(client, effects);
    const result = await openTransaction.run(true, () => work(tx));
    const { command } = await client.query('commit');
    // After a refused statement PostgreSQL answers a commit with a rollback, and calls it success.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, not committed');
    for (const effect of effects) attempt(effect);
    return result;
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The commit stands whatever comes of its effects; its caller must not be told otherwise. */
function attempt(effect: () => void): void {
  try {
    effect();
  } catch (error) {
    log.error({ err: error }, 'an effect of a commit failed');
  }
}

function txOn(client: pg.PoolClient, effects: (() => void)[]): Tx {
  const tx = {
    ...readsOn(client),
    run: async ({ text, values }: Sql) => {
      const result = await runPrepared(client, { text, values });
      return result.rowCount ?? 0;
    },
    afterCommit: (effect: () => void) => {
      effects.push(effect);
    },
  } as unknown as Tx; // as: the brand exists in types only, and this is the one place that gives it
  clients.set(tx, client);
  return tx;
}

const noLockInTime = '55P03';
/** A lock, a statement or a connection that took too long to get, or more connections than there are. */
const overloads = [noLockInTime, '57014', '53300'];
const noConnectionInTime = 'timeout exceeded when trying to connect'; // pg gives it no code

/** Whether the database had too much to do. Asked again later, the same may go well. */
export function isOverload(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return overloads.includes(error.code ?? '');
  return error instanceof Error && error.message === noConnectionInTime;
}

/**
 * Whether the database was away, so that what was to be written may be written when it is back. A
 * statement or a lock that took too long is not that: it would take as long again.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57P0|08)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/.test(code) ||
    /terminated|timeout|not queryable/i.test(error.message)
  );
}

/** Whether the database could not be had: it is or went away, is elsewhere, or lets nobody in by this name. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(28|3D|57P0|08)/.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(code) ||
    /^Connection terminated|is not queryable$/.test(error.message) ||
    error.message === noConnectionInTime
  );
}

/** Whether somebody else held what was to be locked. */
export function isLockLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && [noLockInTime, deadlock].includes(error.code ?? '');
}

const retriesMax = 4;
const deadlock = '40P01';
const serializationFailure = '40001';

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      const isRetryable = code === deadlock || code === serializationFailure || isStale(error);
      if (!isRetryable || attempt >= retriesMax) throw error;
    }
  }
}
