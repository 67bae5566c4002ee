import type { TestResult } from '../reports/reports.ts';
import type { Tally } from './step.ts';

/** Counts a check as one passed or one failed. */
export function tallyOfCheck(exitCode: number): Tally {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Counts the tests of a run. A run that failed without a failed test, wrote no report, or ran no
 * test counts as one failure.
 */
export function tallyOfTests(exitCode: number, results: readonly TestResult[] | undefined): Tally {
  const count = (status: TestResult['status']) =>
    (results ?? []).filter((result) => result.status === status).length;
  const [passed, failed] = [count('passed'), count('failed')];
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isUnexplained ? 1 : failed };
}

export function addUp(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
  };
}
