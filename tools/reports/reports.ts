import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The result of one test, for any test runner. */
export type TestResult = { title: string; status: 'passed' | 'failed' | 'skipped' };

const folder = '.pointgate/reports';
export const vitestReport = join(folder, 'vitest.json');
export const drillReport = join(folder, 'drills.json');
export const measureReport = join(folder, 'measure.json');
export const conformanceReport = join(folder, 'conformance.json');
export const playwrightReport = join(folder, 'playwright.json');
export const walkReport = join(folder, 'walk.json');

/** Undefined when the runner left no report. */
export function readVitestReport(root: string, file = vitestReport): TestResult[] | undefined {
  const report = readJson(join(root, file));
  return report === undefined ? undefined : vitestResults(report as VitestReport);
}

/** Undefined when the runner left no report. */
export function readPlaywrightReport(
  root: string,
  file = playwrightReport,
): TestResult[] | undefined {
  const report = readJson(join(root, file));
  return report === undefined ? undefined : playwrightResults(report as PlaywrightReport);
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

type VitestReport = {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
};

export function vitestResults(report: VitestReport): TestResult[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const results = assertionResults.map((test) => ({
      title: test.fullName,
      status: vitestStatus(test.status),
    }));
    // A file that could not be loaded has no tests and must count as a failure.
    const isExplained = results.some((result) => result.status === 'failed');
    if (status === 'failed' && !isExplained) results.push({ title: name, status: 'failed' });
    return results;
  });
}

function vitestStatus(status: string): TestResult['status'] {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

type PlaywrightSuite = {
  title: string;
  specs?: { title: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = { suites: PlaywrightSuite[]; errors: { message?: string }[] };

export function playwrightResults(report: PlaywrightReport): TestResult[] {
  const outsideOfTests = report.errors.map(({ message }) => ({
    title: message ?? 'an error outside of the tests',
    status: 'failed' as const,
  }));
  return [...report.suites.flatMap((suite) => suiteResults(suite, '')), ...outsideOfTests];
}

function suiteResults(suite: PlaywrightSuite, above: string): TestResult[] {
  const path = `${above}${suite.title} `;
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ title: path + spec.title, status: playwrightStatus(test.status) })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => suiteResults(inner, path))];
}

function playwrightStatus(status: string): TestResult['status'] {
  if (status === 'expected') return 'passed';
  // Flaky counts as failed: a test that needs a second attempt has shown a bug.
  return status === 'skipped' ? 'skipped' : 'failed';
}
