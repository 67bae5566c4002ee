// Reports which statements of the specification the last test run has proven: npm run spec
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  playwrightReport,
  readPlaywrightReport,
  readVitestReport,
  vitestReport,
  walkReport,
} from './reports/reports.ts';
import { evaluateStatements, parseStatements } from './spec/statements.ts';

const root = join(import.meta.dirname, '..');
const unit = readVitestReport(root);
const browser = readPlaywrightReport(root);
const walk = readPlaywrightReport(root, walkReport);
if (unit === undefined && browser === undefined) {
  fail(
    `There is no report of a test run: neither ${vitestReport} nor ${playwrightReport}.\nRun "npm test" and "npm run e2e" first.`,
  );
}
for (const [report, results] of [
  [vitestReport, unit],
  [playwrightReport, browser],
  [walkReport, walk],
] as const) {
  if (results === undefined) say(`Without ${report}: those tests have not run.`);
}

const table = readFileSync(join(root, 'docs/statements.tsv'), 'utf8');
const { proven, open, unknownIds } = evaluateStatements(parseStatements(table), [
  ...(unit ?? []),
  ...(browser ?? []),
  ...(walk ?? []),
]);
say(`${proven.length} of ${proven.length + open.length} proven`);
for (const { id, text } of open) say(`  ${id}  ${text}`);
if (unknownIds.length > 0) {
  fail(`Test titles name statements that do not exist: ${unknownIds.join(', ')}.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
