import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';
import type * as z from 'zod';
import { log } from './log.ts';

/**
 * A statement and its values. Only the `sql` template creates one, so values are never part of the
 * text.
 */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** `${value}` becomes a parameter; `${sql`…`}` is inserted as a nested statement. */
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

/** An open transaction. All writes require one, and only `db.transaction` creates it. */
export interface Tx extends Reads {
  readonly [insideTransaction]: true;
  /** Runs a write and returns the number of affected rows. */
  run(statement: Sql): Promise<number>;
  /**
   * For effects that may be lost but must not happen before the commit, such as notifying a
   * browser.
   */
  afterCommit(effect: () => void): void;
}

/** The connection pool for reads; PostgreSQL refuses writes outside `transaction`. */
export interface Db extends Reads {
  /**
   * Runs the work in a transaction. The work is repeated after deadlocks, serialization failures
   * and outdated prepared statements, so it must have no effects besides its writes.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DbOptions {
  url: string;
  connectionsMax: number;
  applicationName: string;
  /** The timeout for a connection or a lock; a statement may take three times as long. */
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
 * Runs single statements, including writes, outside of features: for the tables of the job engine.
 */
export interface RawExecutor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  close(): Promise<void>;
}

export function openRawExecutor(options: DbOptions): RawExecutor {
  const pool = openPool(options, '');
  return { executeSql: executorOn(pool), close: () => pool.end() };
}

/** Lets the job engine write within our transaction. */
export function rawExecutorOf(tx: Tx): Pick<RawExecutor, 'executeSql'> {
  const client = clients.get(tx);
  if (client === undefined) throw new Error('this transaction was not made by db.transaction');
  return { executeSql: executorOn(client) };
}

function executorOn(client: Client): RawExecutor['executeSql'] {
  // Without values, the text may contain several statements, which cannot be prepared.
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
  // Without a listener, a connection closed by PostgreSQL would end the process. Only the message
  // is logged, because the error contains the connection with its cancellation key.
  pool.on('error', ({ message }) => log.warn({ cause: message }, 'a database connection was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Parses bigint columns as bigint, because a number would lose digits. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return (value: string) => BigInt(value);
  return format === undefined
    ? pg.types.getTypeParser(oid)
    : pg.types.getTypeParser(oid, format as 'text'); // as: the overloads do not accept the union
}

const preparedNames = new Map<string, string>();

/** The name of the prepared statement: planning is most of the cost of a short statement. */
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
 * A prepared statement with all columns of a table becomes invalid when a migration adds a column.
 * It then gets another name, so that the retry prepares it again on any connection.
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

/** Outside a transaction an invalid prepared statement had no effect and can be repeated. */
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
    // After a failed statement PostgreSQL answers COMMIT with ROLLBACK and reports no error.
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

/** The transaction is committed even if an effect fails, so the error is only logged. */
function attempt(effect: () => void): void {
  try {
    effect();
  } catch (error) {
    log.error({ err: error }, 'an after-commit effect failed');
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
/** Timeouts of a lock, a statement or a connection, and too many connections. */
const overloads = [noLockInTime, '57014', '53300'];
const noConnectionInTime = 'timeout exceeded when trying to connect'; // pg gives it no code

/** Whether the database was overloaded, so that a later retry may succeed. */
export function isOverload(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return overloads.includes(error.code ?? '');
  return error instanceof Error && error.message === noConnectionInTime;
}

/**
 * Whether the connection to the database was lost, so that a write may succeed after reconnecting.
 * Timeouts of a statement or lock do not count, because a retry would take as long again.
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

/**
 * Whether the database could not be reached: it is down, at another address, or refuses the user.
 */
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

/** Whether a lock could not be taken because another session held it. */
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
