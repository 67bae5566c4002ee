import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Query } from './database.ts';
import type { Violation } from './invariant.ts';

/** A rule that PostgreSQL enforces on a table, so that its rows need not be checked. */
export interface Rule {
  id: string;
  table: string;
  /** The name of the constraint or generated column. */
  name: string;
  kind: 'constraint' | 'column';
  /** In PostgreSQL's own notation. */
  definition: string;
  /** The message about a row that breaks the rule, as SQL. */
  broken: string;
}

const definitionOf = (name: string) =>
  readFileSync(join(import.meta.dirname, 'rules', `${name}.sql`), 'utf8').trim();

function constraint(rule: Omit<Rule, 'kind' | 'definition'>): Rule {
  return { ...rule, kind: 'constraint', definition: definitionOf(rule.name) };
}

function column(id: string, table: string, name: string): Rule {
  const broken = `format('${name} of order %s does not follow from its row', payment_id)`;
  return { id, table, name, kind: 'column', definition: definitionOf(name), broken };
}

export const rules: readonly Rule[] = [
  constraint({
    id: 'I8',
    table: 'order_events',
    name: 'key_says_the_fact',
    broken: `format('order %s, event %s has a key that does not say its fact', payment_id, seq)`,
  }),
  constraint({
    id: 'I12',
    table: 'point_entries',
    name: 'hash_is_of_the_line',
    broken: `format('entry %s of wallet %s is not what was hashed', seq, account_id)`,
  }),
  column('I1', 'orders', 'pack_quantity'),
  column('I1', 'orders', 'gift_quantity'),
  column('I6', 'orders', 'sku'),
];

/** Finds rules that were dropped or replaced, and the rows that break them. */
export async function checkRules(query: Query): Promise<Violation[]> {
  return (await Promise.all(rules.map((rule) => checkRule(query, rule)))).flat();
}

/**
 * Queries that return one row if the rule is in place. Each partition could define its columns
 * differently.
 */
const kept: Record<Rule['kind'], string> = {
  constraint: `
    select from pg_constraint
    where conrelid = $1::regclass and conname = $2 and convalidated and conenforced
      and pg_get_expr(conbin, conrelid) = $3`,
  column: `
    select where not exists (
      select from pg_partition_tree($1::regclass)
        left join pg_attribute on attrelid = relid and attname = $2 and attgenerated = 's'
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where trim(e'\\n' from pg_get_expr(adbin, adrelid)) is distinct from $3)`,
};

const isBroken: Record<Rule['kind'], (rule: Rule) => string> = {
  constraint: ({ definition }) => `(${definition}) is not true`,
  column: ({ name, definition }) => `${name} is distinct from (${definition})`,
};

async function checkRule(query: Query, rule: Rule): Promise<Violation[]> {
  const { id, table, name, kind, definition, broken } = rule;
  if ((await query(kept[kind], [table, name, definition])).length === 1) return [];
  const rows = await query(
    `select ${broken} from ${table} where ${isBroken[kind](rule)} limit 1000`,
  );
  return [
    { id, text: `${table} does not keep to its rule ${name}` },
    ...rows.map(([text = '']) => ({ id, text })),
  ];
}
