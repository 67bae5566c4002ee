import type { Snapshot } from './snapshot.ts';

/** Sums over whole tables. All that is asked of one table is answered in one pass over it. */
export interface Totals {
  /** A sum or a count, as SQL. To be asked for before its table is read. */
  of(table: string, aggregate: string): Promise<bigint>;
  /** The keys of those rows that are to be looked at by themselves. To be asked for like a sum. */
  keysOf(table: string, where: string): Promise<OrderKey[]>;
  /** Reads one table, or all that were not read yet. */
  read(table?: string): void;
}

export interface OrderKey {
  accountId: string;
  paymentId: string;
}

interface Question {
  aggregate: string;
  /** The answer of each part of the table, or why there is none. */
  answer: PromiseWithResolvers<string[]>;
}

export function openTotals(snapshot: Snapshot): Totals {
  const questions = new Map<string, Question[]>();
  const isRead = new Set<string>();
  const ask = (table: string, aggregate: string) => {
    if (isRead.has(table)) throw new Error(`The totals of ${table} were read already.`);
    const answer = Promise.withResolvers<string[]>();
    questions.set(table, [...(questions.get(table) ?? []), { aggregate, answer }]);
    return answer.promise;
  };
  return {
    of: async (table, aggregate) => {
      const sums = await ask(table, `coalesce(${aggregate}, 0)`);
      return sums.reduce((sum, part) => sum + BigInt(part), 0n);
    },
    keysOf: async (table, where) => {
      const lists = await ask(
        table,
        `string_agg(account_id || '/' || payment_id, ' ') filter (where ${where})`,
      );
      return lists.flatMap((list) => (list === '' ? [] : list.split(' ').map(readKey)));
    },
    read: (table) => {
      for (const [name, asked] of questions) {
        if (isRead.has(name) || (table !== undefined && name !== table)) continue;
        isRead.add(name);
        void readTable(snapshot, name, asked);
      }
    },
  };
}

function readKey(key: string): OrderKey {
  const [accountId = '', paymentId = ''] = key.split('/');
  return { accountId, paymentId };
}

async function readTable(
  snapshot: Snapshot,
  table: string,
  asked: readonly Question[],
): Promise<void> {
  try {
    const list = asked.map(({ aggregate }) => aggregate).join(', ');
    // Month by month, so that all connections have something to do until the end.
    const parts = await Promise.all(
      (await partsOf(snapshot, table)).map((part) => snapshot.query(`select ${list} from ${part}`)),
    );
    for (const [index, { answer }] of asked.entries()) {
      answer.resolve(parts.map(([row]) => row?.[index] ?? ''));
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
