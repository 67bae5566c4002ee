import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evaluateStatements, parseStatements } from './spec/statements.ts';

const statements = [
  { id: 'S1.01', text: 'A pack arrives' },
  { id: 'S1.02', text: 'The balance grows' },
  { id: 'S4.02', text: 'A code is never reused' },
];

test('the table of specification statements is read completely, with each id once', () => {
  const table = readFileSync(new URL('../docs/statements.tsv', import.meta.url), 'utf8');

  const ids = parseStatements(table).map(({ id }) => id);

  expect(ids).toHaveLength(141);
  expect(new Set(ids).size).toBe(141);
});

test('a specification statement is proven by a passed test that names its id in brackets', () => {
  const { proven, open } = evaluateStatements(statements, [
    { title: 'buy.spec.ts [S1.01] a pack arrives once', status: 'passed' },
    { title: '[S1.02] the balance grows', status: 'skipped' },
    { title: 'S4.02 without brackets', status: 'passed' },
  ]);

  expect(proven.map(({ id }) => id)).toEqual(['S1.01']);
  expect(open.map(({ id }) => id)).toEqual(['S1.02', 'S4.02']);
});

test('a single test may prove several specification statements', () => {
  const results = [{ title: '[S1.01, S1.02] [S4.02] all at once', status: 'passed' as const }];

  expect(evaluateStatements(statements, results).open).toEqual([]);
});

test('a specification statement named by a failed test is not proven, although another test passed', () => {
  const { proven } = evaluateStatements(statements, [
    { title: '[S1.01] in English', status: 'passed' },
    { title: '[S1.01] in Thai', status: 'failed' },
  ]);

  expect(proven).toEqual([]);
});

test('an unknown specification statement id is reported, whether its test passed or failed', () => {
  const { unknownIds } = evaluateStatements(statements, [
    { title: '[S9.99] invented', status: 'passed' },
    { title: '[S1.1] misspelt', status: 'failed' },
  ]);

  expect(unknownIds).toEqual(['S1.1', 'S9.99']);
});
