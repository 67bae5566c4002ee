import type pg from 'pg';
import { rules } from '../../../auditor/src/rules.ts';

const constraints = rules.filter(({ kind }) => kind === 'constraint');
const ruledTables = constraints.map(({ table }) => table);

const rulesOf = (tables: readonly string[]) =>
  constraints.filter(({ table }) => tables.includes(table));

/** Drops the rules, as the owner of the tables can. */
export async function dropRules(
  admin: pg.Client,
  tables: readonly string[] = ruledTables,
): Promise<void> {
  for (const { table, name } of rulesOf(tables)) {
    await admin.query(`alter table ${table} drop constraint if exists ${name}`);
  }
}

/** Adds the rules; returns whether all could be added, which fails if rows violate one. */
export async function addRules(
  admin: pg.Client,
  tables: readonly string[] = ruledTables,
): Promise<boolean> {
  let areAdded = true;
  for (const { table, name, definition } of rulesOf(tables)) {
    const adding = admin.query(`alter table ${table} add constraint ${name} check (${definition})`);
    const isAdded = await adding.then(
      () => true,
      () => false,
    );
    areAdded = areAdded && isAdded;
  }
  return areAdded;
}

/** The key that a fact must have, as SQL, taken from the check constraint. */
export const keyOfFact = (/fact_key =\s+(CASE[\s\S]+END)\) IS TRUE/.exec(
  rules.find(({ name }) => name === 'key_says_the_fact')?.definition ?? '',
) ?? [])[1];
