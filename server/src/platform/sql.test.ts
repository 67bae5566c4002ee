import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Sql, sql } from './db.ts';

test('a value in an SQL template becomes a query parameter and is never part of the SQL text', () => {
  const evil = `'; drop table orders; --`;
  const { text, values } = sql`select * from items where id = ${evil} and game_id = ${'solmere'}`;
  expect(text).toBe('select * from items where id = $1 and game_id = $2');
  expect(values).toEqual([evil, 'solmere']);
});

test('an SQL statement nested in another SQL template keeps its own parameter values at any position', () => {
  const isOrder = sql`account_id = ${'a'} and payment_id = ${'p'}`;
  const inner = sql`select 1 where ${isOrder} and state = ${'paid'}`;
  const { text, values } = sql`select ${'first'}, (${inner}), ${'last'} from t where ${isOrder}`;
  expect(text).toBe(
    'select $1, (select 1 where account_id = $2 and payment_id = $3 and state = $4), $5 ' +
      'from t where account_id = $6 and payment_id = $7',
  );
  expect(values).toEqual(['first', 'a', 'p', 'paid', 'last', 'a', 'p']);
});

test('an SQL statement with more than nine parameters gets the right parameter numbers when nested in another', () => {
  const ten = sql`${0}${1}${2}${3}${4}${5}${6}${7}${8}${9}${10}`;
  const { text } = sql`${'before'} ${ten}`;
  expect(text).toBe('$1 $2$3$4$5$6$7$8$9$10$11$12');
});

test('an object in an SQL template that only looks like a nested statement is passed as a parameter value', () => {
  const forged = { text: 'drop table orders', values: [] } satisfies Sql;
  const { text, values } = sql`select ${forged}`;
  expect(text).toBe('select $1');
  expect(values).toEqual([forged]);
});

test('the parameter numbers in an SQL text match the order of its values for any nesting of SQL statements', () => {
  const nested: fc.Arbitrary<Sql> = fc.letrec<{ statement: Sql; part: unknown }>((tie) => ({
    part: fc.oneof({ maxDepth: 4 }, fc.string(), tie('statement')),
    statement: fc
      .tuple(tie('part'), tie('part'), tie('part'))
      .map(([a, b, c]) => sql`a ${a} b ${b} c ${c} d`),
  })).statement;
  fc.assert(
    fc.property(nested, ({ text, values }) => {
      const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits));
      expect(numbers).toEqual(values.map((_, index) => index + 1));
      expect(text).toMatch(/^[abcd $\d]+$/);
    }),
  );
});
