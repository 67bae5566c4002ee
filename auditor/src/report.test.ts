import { expect, test } from 'vitest';
import { type Finding, reportOf } from './report.ts';

const given = (id: string, finding: Partial<Finding> = {}): Finding => ({
  id,
  claim: 'all is well',
  checked: 3,
  broken: finding.violations?.length ?? 0,
  violations: [],
  notAsked: [],
  ...finding,
});
const verdictOf = (...findings: Finding[]) => reportOf(findings).text.split('\n').at(-1);

test('a shop that sold nothing has its books in order, whatever its queue is doing', () => {
  const findings = [given('I1', { checked: 0 }), given('I2', { checked: 0 }), given('I11')];
  expect(verdictOf(...findings)).toBe('The books are in order: nothing has been sold yet.');
  expect(reportOf(findings).isGreen).toBe(true);
});

test('the verdict says how much was proven', () => {
  expect(verdictOf(given('I1'), given('I2'))).toBe(
    'The books are in order: all 2 invariants hold.',
  );
  expect(verdictOf(given('I1'), given('I2'), given('I3', { checked: 0 }))).toBe(
    'The books are in order: 2 invariants hold, 1 have nothing to hold for yet.',
  );
});

test('a broken invariant is named with what broke it, even if nothing was sold', () => {
  const { text, isGreen } = reportOf([given('I1', { checked: 0, violations: ['a forged row'] })]);
  expect(text).toContain('I1  BROKEN all is well (0)\n           a forged row\n');
  expect(text).toContain('The books are NOT in order: 1 of 1 invariants are broken.');
  expect(isGreen).toBe(false);
});

test('books that could not be compared with everybody are not green, and say who is missing', () => {
  const notAsked = [{ party: 'game solmere', reason: 'HTTP 401' }];
  const { text, isGreen } = reportOf([given('I1'), given('I6', { notAsked })]);
  expect(text).toContain(
    'I6  open   all is well (3)\n           not asked: game solmere: HTTP 401\n',
  );
  expect(text).toContain(
    'The books were NOT compared with everybody: not asked were game solmere.',
  );
  expect(isGreen).toBe(false);
});

test('who could not be asked is named beside what is broken', () => {
  const notAsked = [{ party: 'game solmere', reason: 'HTTP 401' }];
  const { text } = reportOf([given('I6', { violations: ['a forged row'], notAsked })]);
  expect(text).toContain('           a forged row\n           not asked: game solmere: HTTP 401\n');
  expect(text).toContain('The books are NOT in order');
});
