import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Reader } from './shape.ts';

export type Database = {
  /** Outside a transaction too: a read sees what is committed. */
  all<T>(reader: Reader<T>, sql: string, ...values: SQLInputValue[]): T[];
  one<T>(reader: Reader<T>, sql: string, ...values: SQLInputValue[]): T | undefined;
  run(sql: string, ...values: SQLInputValue[]): void;
  /** All or nothing. One inside another joins it. */
  transaction<T>(work: () => T): T;
  /** Called after each commit, never after a rollback. */
  afterCommit(listener: () => void): void;
  close(): void;
};

/** Opens the file, or a database in memory, and creates the tables it lacks. */
export function openDatabase(input: { file: string | undefined; schema: string }): Database {
  const sqlite = new DatabaseSync(input.file ?? ':memory:');
  // With the write-ahead log a killed process loses nothing it has answered for.
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
  sqlite.exec(input.schema);

  const statements = new Map<string, StatementSync>();
  const listeners: (() => void)[] = [];
  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
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
    run: (sql, ...values) => {
      prepared(sql).run(...values);
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
