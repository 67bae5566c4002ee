import { z } from 'zod';
import type { Snapshot } from './snapshot.ts';

/** Sums over whole tables. All that is asked of one table is answered in one pass over it. */
export interface Totals {
  /** A sum or a count, as SQL. To be asked for before its table is read. */
  of(table: string, aggregate: string): Promise<bigint>;
  /** A text, as SQL, of each row that is to be looked at by itself. To be asked for like a sum. */
  listOf(table: string, text: string, where: string): Promise<string[]>;
  /** Reads a table for whose sums others wait. */
  readFirst(table: string): void;
  /** Reads all that were not read yet. */
  readOthers(): void;
}

const Texts = z.array(z.string());

type How = 'query' | 'queryAside';

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
  const read = (tables: readonly string[], how: How) => {
    const chosen = tables.filter((table) => !isRead.has(table));
    for (const table of chosen) isRead.add(table);
    const asked = new Map(chosen.map((table) => [table, questions.get(table) ?? []]));
    void readTables(snapshot, asked, how);
  };
  return {
    of: async (table, aggregate) => {
      const sums = await ask(table, `coalesce(${aggregate}, 0)`);
      return sums.reduce((sum, part) => sum + BigInt(part), 0n);
    },
    listOf: async (table, text, where) => {
      const lists = await ask(table, `json_agg(${text}) filter (where ${where})`);
      return lists.flatMap((list) => (list === '' ? [] : Texts.parse(JSON.parse(list))));
    },
    readFirst: (table) => read([table], 'query'),
    readOthers: () => read([...questions.keys()], 'queryAside'),
  };
}

async function readTables(
  snapshot: Snapshot,
  asked: ReadonlyMap<string, readonly Question[]>,
  how: How,
): Promise<void> {
  try {
    const parts = await partsOf(snapshot, [...asked.keys()]);
    const answered = parts.map(async ({ table, part }) => {
      const list = (asked.get(table) ?? []).map(({ aggregate }) => aggregate).join(', ');
      const [row = []] = await snapshot[how](`select ${list} from ${part}`);
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
