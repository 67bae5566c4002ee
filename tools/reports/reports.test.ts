import { expect, test } from 'vitest';
import { playwrightResults, vitestResults } from './reports.ts';

test('the Vitest report counts a test file that could not be loaded as a failed test', () => {
  const report = {
    testResults: [{ name: 'orders.test.ts', status: 'failed', assertionResults: [] }],
  };

  expect(vitestResults(report)).toEqual([{ title: 'orders.test.ts', status: 'failed' }]);
});

test('the Vitest report counts a failed test once, not again for its file', () => {
  const assertionResults = [
    { fullName: 'works', status: 'passed' },
    { fullName: 'breaks', status: 'failed' },
    { fullName: 'later', status: 'todo' },
  ];
  const report = { testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] };

  expect(vitestResults(report).map(({ status }) => status)).toEqual([
    'passed',
    'failed',
    'skipped',
  ]);
});

test('the Playwright report counts browser tests of nested groups, and a flaky test as failed', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const report = {
    suites: [
      {
        title: 'buy.spec.ts',
        specs: [spec('[S1.01] buys', 'expected')],
        suites: [{ title: 'slow', specs: [spec('a', 'flaky'), spec('b', 'skipped')] }],
      },
    ],
    errors: [{ message: 'no tests found' }],
  };

  expect(playwrightResults(report)).toEqual([
    { title: 'buy.spec.ts [S1.01] buys', status: 'passed' },
    { title: 'buy.spec.ts slow a', status: 'failed' },
    { title: 'buy.spec.ts slow b', status: 'skipped' },
    { title: 'no tests found', status: 'failed' },
  ]);
});
