import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  conformanceReport,
  drillReport,
  measureReport,
  playwrightReport,
  readPlaywrightReport,
  readVitestReport,
  type TestResult,
  vitestReport,
  walkReport,
} from '../reports/reports.ts';
import { fileTimesReport } from '../times/file-times.ts';
import { timesTable } from '../times/times-table.ts';
import { checkCompose } from './compose.ts';
import { repeatFailures, runCommand, type Say, type StepResult, step } from './step.ts';
import { addUp, tallyOfCheck, tallyOfTests } from './tally.ts';

const root = join(import.meta.dirname, '../..');
process.chdir(root);

export type Step = () => Promise<StepResult>;
type Settings = { args?: readonly string[]; env?: Record<string, string> };

// A compile cache for the hundreds of programs that tests start.
const cache = { NODE_COMPILE_CACHE: join(root, '.pointgate/compile-cache') };

function runScript(name: string, say: Say, { args = [], env = {} }: Settings): Promise<number> {
  const passed = args.length === 0 ? [] : ['--', ...args];
  return runCommand('npm', ['run', '--silent', name, ...passed], {
    env: { ...cache, ...env, ...process.env },
    say,
  });
}

/** A script that counts as one passed or failed check. */
export function check(name: string, settings: Settings = {}): Step {
  return () => step(name, async (say) => tallyOfCheck(await runScript(name, say, settings)));
}

/** A script that runs tests and writes a report. */
export function tests(name: keyof typeof reports, settings: Settings = {}): Step {
  const { file, read } = reports[name];
  return () =>
    step(name, async (say) => {
      // Removed, because a report of an earlier run must not be counted.
      rmSync(join(root, file), { force: true });
      return tallyOfTests(await runScript(name, say, settings), read(root, file));
    });
}

export const compose: Step = () =>
  step('compose', async (say) => tallyOfCheck(await checkCompose(say)));

type Read = (root: string, file: string) => TestResult[] | undefined;
const byVitest = (file: string) => ({ file, read: readVitestReport as Read });
const byPlaywright = (file: string) => ({ file, read: readPlaywrightReport as Read });
const reports = {
  test: byVitest(vitestReport),
  conformance: byVitest(conformanceReport),
  drill: byVitest(drillReport),
  measure: byVitest(measureReport),
  e2e: byPlaywright(playwrightReport),
  walk: byPlaywright(walkReport),
};

/** Runs lists of steps concurrently; the steps of each list run in sequence. */
async function runSideBySide(lists: readonly (readonly Step[])[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  await Promise.all(
    lists.map(async (list) => {
      for (const next of list) results.push(await next());
    }),
  );
  return results;
}

/**
 * Runs all steps even if some fail, so that all failures are reported. Prints the sums at the end,
 * and with --times the durations of the steps and of the slowest files.
 */
export async function runAll(phases: readonly (readonly (readonly Step[])[])[]): Promise<void> {
  rmSync(join(root, fileTimesReport), { force: true });
  const results: StepResult[] = [];
  for (const phase of phases) results.push(...(await runSideBySide(phase)));
  if (process.argv.includes('--times')) process.stdout.write(`\n${timesTable(root, results)}`);
  const { passed, failed } = addUp(results);
  repeatFailures();
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
