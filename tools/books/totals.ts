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
      const chosen = [...questions].filter(
        ([name]) => !isRead.has(name) && (table === undefined || name === table),
      );
      for (const [name] of chosen) isRead.add(name);
      void readTables(snapshot, new Map(chosen));
    },
  };
}

function readKey(key: string): OrderKey {
  const [accountId = '', paymentId = ''] = key.split('/');
  return { accountId, paymentId };
}

async function readTables(
  snapshot: Snapshot,
  asked: ReadonlyMap<string, readonly Question[]>,
): Promise<void> {
  try {
    const parts = await partsOf(snapshot, [...asked.keys()]);
    const answered = parts.map(async ({ table, part }) => {
      const list = (asked.get(table) ?? []).map(({ aggregate }) => aggregate).join(', ');
      const [row = []] = await snapshot.query(`select ${list} from ${part}`);
      return { table, row };
    });
    const rows = Map.groupBy(await Promise.all(answered), ({ table }) => table);
    for (const [table, questions] of asked) {
      for (const [index, { answer }] of questions.entries()) {
        answer.resolve((rows.get(table) ?? []).map(({ row }) => row[index] ?? ''));
      }
    }
  } catch (error) {
    for (const { answer } of [...asked.values()].flat()) answer.reject(error);
  }
}

/**
 * Each table, or the tables of its months. The largest come first: so all connections have something
 * to do until the end, and none is left with a long one.
 */
async function partsOf(
  snapshot: Snapshot,
  tables: readonly string[],
): Promise<{ table: string; part: string }[]> {
  const rows = await snapshot.query(
    `select name, part::regclass
     from unnest($1::text[]) as name, lateral (
       select relid as part from pg_partition_tree(name::regclass) where isleaf
       union select name::regclass where not exists (select from pg_partition_tree(name::regclass))
     ) as parts
     order by pg_relation_size(part) desc`,
    [tables],
  );
  return rows.map(([table = '', part = '']) => ({ table, part }));
}
