import type { Snapshot } from './snapshot.ts';

/** Sums over whole tables. All that is asked of one table is answered in one pass over it. */
export interface Totals {
  /** A sum or a count, as SQL. To be asked for before the tables are read. */
  of(table: string, aggregate: string): Promise<bigint>;
  read(): void;
}

interface Question {
  aggregate: string;
  answer: PromiseWithResolvers<bigint>;
}

export function openTotals(snapshot: Snapshot): Totals {
  const questions = new Map<string, Question[]>();
  let isRead = false;
  return {
    of: (table, aggregate) => {
      if (isRead) throw new Error(`The totals of ${table} were read already.`);
      const answer = Promise.withResolvers<bigint>();
      questions.set(table, [...(questions.get(table) ?? []), { aggregate, answer }]);
      return answer.promise;
    },
    read: () => {
      isRead = true;
      for (const [table, asked] of questions) void readTable(snapshot, table, asked);
    },
  };
}

async function readTable(
  snapshot: Snapshot,
  table: string,
  asked: readonly Question[],
): Promise<void> {
  try {
    const list = asked.map(({ aggregate }) => `coalesce(${aggregate}, 0)`).join(', ');
    // Month by month, so that all connections have something to do until the end.
    const parts = await Promise.all(
      (await partsOf(snapshot, table)).map((part) => snapshot.query(`select ${list} from ${part}`)),
    );
    for (const [index, { answer }] of asked.entries()) {
      answer.resolve(parts.reduce((sum, [row]) => sum + BigInt(row?.[index] ?? ''), 0n));
    }
  } catch (error) {
    for (const { answer } of asked) answer.reject(error);
  }
}

/** The tables that a table is cut into, or itself. */
async function partsOf(snapshot: Snapshot, table: string): Promise<string[]> {
  const leaves = await snapshot.query(
    'select relid::regclass from pg_partition_tree($1) where isleaf',
    [table],
  );
  return leaves.length === 0 ? [table] : leaves.map(([leaf = '']) => leaf);
}
