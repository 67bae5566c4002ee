import { expect, test } from 'vitest';
import { addUp, tallyOfCheck, tallyOfTests } from './tally.ts';

const passed = { title: 'works', status: 'passed' as const };
const failed = { title: 'breaks', status: 'failed' as const };
const skipped = { title: 'later', status: 'skipped' as const };

test('passed and failed tests are counted, skipped ones are neither', () => {
  expect(tallyOfTests(1, [passed, passed, failed, skipped])).toEqual({ passed: 2, failed: 1 });
});

test('a failed test fails the build, even if the runner says all is well', () => {
  expect(tallyOfTests(0, [passed, failed]).failed).toBe(1);
});

test('a runner that breaks although every test passed fails the build', () => {
  expect(tallyOfTests(1, [passed])).toEqual({ passed: 1, failed: 1 });
});

test('a runner without a report fails the build, whatever its exit code', () => {
  expect(tallyOfTests(0, undefined).failed).toBe(1);
  expect(tallyOfTests(134, undefined).failed).toBe(1);
});

test('a run of no tests fails the build', () => {
  expect(tallyOfTests(0, []).failed).toBe(1);
  expect(tallyOfTests(0, [skipped]).failed).toBe(1);
});

test('checks and tests add up to one sum', () => {
  const tallies = [tallyOfCheck(0), tallyOfCheck(2), tallyOfTests(0, [passed, passed])];

  expect(addUp(tallies)).toEqual({ passed: 3, failed: 1 });
});
