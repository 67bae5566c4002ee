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

test('the audit report of a shop without sales says that nothing has been sold yet, and is green', () => {
  const findings = [given('I1', { checked: 0 }), given('I2', { checked: 0 }), given('I11')];
  expect(verdictOf(...findings)).toBe('The books are in order: nothing has been sold yet.');
  expect(reportOf(findings).isGreen).toBe(true);
});

test('the audit verdict counts the invariants that hold and those with nothing to check', () => {
  expect(verdictOf(given('I1'), given('I2'))).toBe(
    'The books are in order: all 2 invariants hold.',
  );
  expect(verdictOf(given('I1'), given('I2'), given('I3', { checked: 0 }))).toBe(
    'The books are in order: 2 invariants hold, 1 have nothing to hold for yet.',
  );
});

test('the audit report names a broken invariant and its violations even without sales', () => {
  const { text, isGreen } = reportOf([given('I1', { checked: 0, violations: ['a forged row'] })]);
  expect(text).toContain('I1  BROKEN all is well (0)\n           a forged row\n');
  expect(text).toContain('The books are NOT in order: 1 of 1 invariants are broken.');
  expect(isGreen).toBe(false);
});

test('the audit report names each game or provider that could not be asked and is then not green', () => {
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

test('the audit report names each game or provider that could not be asked next to the violations', () => {
  const notAsked = [{ party: 'game solmere', reason: 'HTTP 401' }];
  const { text } = reportOf([given('I6', { violations: ['a forged row'], notAsked })]);
  expect(text).toContain('           a forged row\n           not asked: game solmere: HTTP 401\n');
  expect(text).toContain('The books are NOT in order');
});
