// Pays in every way there is, through the whole shop and the providers' own SDKs, and says of each
// whether it conforms: npm run conformance
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './ci/step.ts';
import { conformanceReport, readVitestReport } from './reports/reports.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
// An old report must not stand in for a run that leaves none.
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
