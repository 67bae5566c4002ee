// Everything that must hold before a change lands, with one sum at the end: npm run ci
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkCompose } from './ci/compose.ts';
import { repeatFailures, runCommand, step, type Tally } from './ci/step.ts';
import { addUp, tallyOfCheck, tallyOfTests } from './ci/tally.ts';
import {
  conformanceReport,
  drillReport,
  playwrightReport,
  readPlaywrightReport,
  readVitestReport,
  type TestResult,
  vitestReport,
  walkReport,
} from './reports/reports.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

// A drill in full takes a quarter of an hour; here it shows that it runs, and that nothing is badly wrong.
const drillSize = { DRILL_ROUNDS: '20', DRILL_EVENTS: '1000', DRILL_KILLS: '15' };
// Hundreds of tests start programs of ours. Each then finds what an earlier one has compiled.
const cache = { NODE_COMPILE_CACHE: join(root, '.pointgate/compile-cache') };
const env = { ...drillSize, ...cache, ...process.env };

const npm = (...args: string[]) => runCommand('npm', ['run', '--silent', ...args], env);
const check = (name: string, run: () => Promise<number> = () => npm(name)) =>
  step(name, async () => tallyOfCheck(await run()));
const tests = (name: string, report: string, read: (root: string) => TestResult[] | undefined) =>
  step(name, async () => {
    // An old report must not stand in for a run that leaves none.
    rmSync(report, { force: true });
    return tallyOfTests(await npm(name), read(root));
  });

// One after the other, and all of them: whoever broke three things should hear of three.
const tallies: Tally[] = [];
tallies.push(await check('types'));
tallies.push(await check('lint'));
tallies.push(await check('tidy'));
tallies.push(await check('knip'));
tallies.push(await tests('test', vitestReport, readVitestReport));
tallies.push(await check('build'));
tallies.push(
  await tests('conformance', conformanceReport, () => readVitestReport(root, conformanceReport)),
);
tallies.push(await tests('e2e', playwrightReport, readPlaywrightReport));
tallies.push(await tests('drill', drillReport, () => readVitestReport(root, drillReport)));
tallies.push(await check('seeded-bugs'));
tallies.push(await check('compose', checkCompose));
tallies.push(await tests('walk', walkReport, () => readPlaywrightReport(root, walkReport)));
tallies.push(await check('spec'));

const { passed, failed } = addUp(tallies);
repeatFailures();
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
