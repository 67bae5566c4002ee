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

// Hundreds of tests start programs of ours. Each then finds what an earlier one has compiled.
const cache = { NODE_COMPILE_CACHE: join(root, '.pointgate/compile-cache') };

function runScript(name: string, say: Say, { args = [], env = {} }: Settings): Promise<number> {
  const passed = args.length === 0 ? [] : ['--', ...args];
  return runCommand('npm', ['run', '--silent', name, ...passed], {
    env: { ...cache, ...env, ...process.env },
    say,
  });
}

/** A script that counts as one: it passes or it does not. */
export function check(name: string, settings: Settings = {}): Step {
  return () => step(name, async (say) => tallyOfCheck(await runScript(name, say, settings)));
}

/** A script that runs tests and leaves a report of them. */
export function tests(name: keyof typeof reports, settings: Settings = {}): Step {
  const { file, read } = reports[name];
  return () =>
    step(name, async (say) => {
      // An old report must not stand in for a run that leaves none.
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

/** Runs lists of steps side by side, the steps of each list one after the other. */
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
 * Runs everything, whatever fails: whoever broke three things should hear of three. Prints one sum at
 * the end, and with --times what each step and the slowest files took.
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
