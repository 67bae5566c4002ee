import { expect, test } from 'vitest';
import { addUp, tallyOfCheck, tallyOfTests } from './tally.ts';

const passed = { title: 'works', status: 'passed' as const };
const failed = { title: 'breaks', status: 'failed' as const };
const skipped = { title: 'later', status: 'skipped' as const };

test('the CI result counts passed and failed tests but not skipped ones', () => {
  expect(tallyOfTests(1, [passed, passed, failed, skipped])).toEqual({ passed: 2, failed: 1 });
});

test('a failed test fails the build, even if the test runner exits with 0', () => {
  expect(tallyOfTests(0, [passed, failed]).failed).toBe(1);
});

test('a test runner that exits with an error fails the build although every test passed', () => {
  expect(tallyOfTests(1, [passed])).toEqual({ passed: 1, failed: 1 });
});

test('a test runner without a report fails the build, whatever its exit code', () => {
  expect(tallyOfTests(0, undefined).failed).toBe(1);
  expect(tallyOfTests(134, undefined).failed).toBe(1);
});

test('a test run without executed tests fails the build', () => {
  expect(tallyOfTests(0, []).failed).toBe(1);
  expect(tallyOfTests(0, [skipped]).failed).toBe(1);
});

test('the CI result adds up the results of all checks and tests', () => {
  const tallies = [tallyOfCheck(0), tallyOfCheck(2), tallyOfTests(0, [passed, passed])];

  expect(addUp(tallies)).toEqual({ passed: 3, failed: 1 });
});
