import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Sql, sql } from './db.ts';

test('a value in an SQL template becomes a parameter and is never part of the text', () => {
  const evil = `'; drop table orders; --`;
  const { text, values } = sql`select * from items where id = ${evil} and game_id = ${'solmere'}`;
  expect(text).toBe('select * from items where id = $1 and game_id = $2');
  expect(values).toEqual([evil, 'solmere']);
});

test('a statement nested in an SQL template keeps its own values at any position', () => {
  const isOrder = sql`account_id = ${'a'} and payment_id = ${'p'}`;
  const inner = sql`select 1 where ${isOrder} and state = ${'paid'}`;
  const { text, values } = sql`select ${'first'}, (${inner}), ${'last'} from t where ${isOrder}`;
  expect(text).toBe(
    'select $1, (select 1 where account_id = $2 and payment_id = $3 and state = $4), $5 ' +
      'from t where account_id = $6 and payment_id = $7',
  );
  expect(values).toEqual(['first', 'a', 'p', 'paid', 'last', 'a', 'p']);
});

test('a nested statement with more than nine parameters is renumbered correctly', () => {
  const ten = sql`${0}${1}${2}${3}${4}${5}${6}${7}${8}${9}${10}`;
  const { text } = sql`${'before'} ${ten}`;
  expect(text).toBe('$1 $2$3$4$5$6$7$8$9$10$11$12');
});

test('an object that only looks like an SQL statement is passed as a value', () => {
  const forged = { text: 'drop table orders', values: [] } satisfies Sql;
  const { text, values } = sql`select ${forged}`;
  expect(text).toBe('select $1');
  expect(values).toEqual([forged]);
});

test('the n-th parameter is the n-th value in any nesting of SQL statements', () => {
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
