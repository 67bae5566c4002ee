import { expect, test } from '@playwright/test';
import { readReports } from './leak-detector.ts';

// Runs after all other tests, see playwright.config.ts.

test('the preceding browser tests have left no secret in a log, table, cache or Referer', async () => {
  const reports = await readReports();
  // One report of each lane, and one of the canary.
  expect(reports).toHaveLength(3);
  const kinds = new Set(reports.flatMap((report) => report.kinds));
  for (const kind of ['a session', 'a password', 'a code of a provider', 'a code in a message']) {
    expect(kinds).toContain(kind);
  }
  expect(reports.flatMap(({ leaks }) => leaks)).toEqual([]);
});
