import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Violation } from './invariant.ts';
import type { Snapshot } from './snapshot.ts';

/** What a table itself refuses, so that no row of it has to be looked at for it. */
export interface Rule {
  id: string;
  table: string;
  name: string;
  /** As PostgreSQL writes it. */
  definition: string;
  /** What is said of a row that breaks it, as SQL. */
  broken: string;
}

const definitionOf = (name: string) =>
  readFileSync(join(import.meta.dirname, 'rules', `${name}.sql`), 'utf8').trimEnd();

export const rules: readonly Rule[] = [
  {
    id: 'I8',
    table: 'order_events',
    name: 'key_says_the_fact',
    definition: definitionOf('key_says_the_fact'),
    broken: `format('order %s, event %s has a key that does not say its fact', payment_id, seq)`,
  },
  {
    id: 'I12',
    table: 'point_entries',
    name: 'hash_is_of_the_line',
    definition: definitionOf('hash_is_of_the_line'),
    broken: `format('entry %s of wallet %s is not what was hashed', seq, account_id)`,
  },
];

/** Whoever takes a rule away, or puts another in its place, is found out, and so are the rows. */
export async function checkRules(snapshot: Snapshot): Promise<Violation[]> {
  return (await Promise.all(rules.map((rule) => checkRule(snapshot, rule)))).flat();
}

async function checkRule(
  snapshot: Snapshot,
  { id, table, name, definition, broken }: Rule,
): Promise<Violation[]> {
  const kept = await snapshot.query(
    `select from pg_constraint
     where conrelid = $1::regclass and conname = $2 and convalidated and conenforced
       and pg_get_expr(conbin, conrelid) = $3`,
    [table, name, definition],
  );
  if (kept.length === 1) return [];
  const rows = await snapshot.query(
    `select ${broken} from ${table} where (${definition}) is not true`,
  );
  return [
    { id, text: `${table} does not keep to its rule ${name}` },
    ...rows.map(([text = '']) => ({ id, text })),
  ];
}
