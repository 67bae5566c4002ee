// Pays with every payment method through the whole shop and the providers' own SDKs, and reports
// for each whether it conforms: npm run conformance
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './ci/step.ts';
import { conformanceReport, readVitestReport } from './reports/reports.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
// Removed, because a report of an earlier run must not be read.
rmSync(join(root, conformanceReport), { force: true });

const [, , ...more] = process.argv;
const code = await runCommand(
  'vitest',
  ['run', '--project', 'conformance', `--outputFile.json=${conformanceReport}`, ...more],
  { say: (line) => process.stdout.write(`${line}\n`) },
);

const results = Map.groupBy(
  readVitestReport(root, conformanceReport) ?? [],
  ({ title }) => title.split(' ', 1)[0] ?? '',
);
for (const [name, tests] of [...results].toSorted()) {
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const verdict = failed === 0 && passed > 0 ? `${passed} passed` : `${failed} FAILED`;
  process.stdout.write(`${name.padEnd(9)} … ${verdict}\n`);
}
process.exitCode = code;
