import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Reader } from './shape.ts';

export type Database = {
  /** Also usable outside a transaction: a read sees committed data only. */
  all<T>(reader: Reader<T>, sql: string, ...values: SQLInputValue[]): T[];
  one<T>(reader: Reader<T>, sql: string, ...values: SQLInputValue[]): T | undefined;
  run(sql: string, ...values: SQLInputValue[]): void;
  /** An unvalidated row, keyed by its columns. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): void;
  /** Runs the work in a transaction; a nested transaction joins the outer one. */
  transaction<T>(work: () => T): T;
  /** Called after each commit, never after a rollback. */
  afterCommit(listener: () => void): void;
  close(): void;
};

/**
 * Opens the file, or a database in memory, and migrates it: each script of the schema runs once, in
 * order, so that a file of an earlier version keeps its records.
 */
export function openDatabase(input: {
  file: string | undefined;
  schema: readonly string[];
}): Database {
  const sqlite = new DatabaseSync(input.file ?? ':memory:');
  // With the write-ahead log a killed process loses no committed transaction.
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
  bringUpToDate(sqlite, input.schema);

  const statements = new Map<string, StatementSync>();
  const listeners: (() => void)[] = [];
  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function run(sql: string, ...values: SQLInputValue[]): void {
    prepared(sql).run(...values);
  }

  return {
    all: (reader, sql, ...values) =>
      prepared(sql)
        .all(...values)
        .map((row) => reader(row, 'row')),
    one: (reader, sql, ...values) => {
      const row = prepared(sql).get(...values);
      return row === undefined ? undefined : reader(row, 'row');
    },
    run,
    insert: (table, row) => {
      const columns = Object.keys(row);
      const places = columns.map(() => '?').join(', ');
      run(`insert into ${table} (${columns.join(', ')}) values (${places})`, ...Object.values(row));
    },
    transaction: (work) => {
      if (sqlite.isTransaction) return work();
      sqlite.exec('begin immediate');
      let result: ReturnType<typeof work>;
      try {
        result = work();
        sqlite.exec('commit');
      } catch (error) {
        sqlite.exec('rollback');
        throw error;
      }
      for (const listener of listeners) listener();
      return result;
    },
    afterCommit: (listener) => {
      listeners.push(listener);
    },
    close: () => sqlite.close(),
  };
}

function bringUpToDate(sqlite: DatabaseSync, schema: readonly string[]): void {
  // Schema scripts of earlier versions call these functions; a later script removes the checksums.
  const pure = { deterministic: true };
  sqlite.function('bucket_of', pure, (_paymentId) => 0);
  sqlite.function('crc_of', pure, (_line) => 0);

  const version = Number(sqlite.prepare('pragma user_version').get()?.user_version ?? 0);
  if (version > schema.length) throw new Error('The data file is of a later version.');
  for (const [index, script] of schema.entries()) {
    if (index < version) continue;
    sqlite.exec(`begin immediate; ${script}; pragma user_version = ${index + 1}; commit`);
  }
}
