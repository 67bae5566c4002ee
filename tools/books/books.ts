// Checks the books of the running demo, or else of the running dev shop: npm run books
// Also against a file of what callers were told: npm run books -- --acknowledged <file>
// Ends with 0 if they are in order, with 1 if they are not, and with 2 if they could not be read.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Compiled code is kept for the next time. That has to be said before the code is imported.
enableCompileCache();
const { checkBooks } = await import('./check-books.ts');
const { findAddresses } = await import('./find-addresses.ts');
const { reasonOf } = await import('../../auditor/src/reason.ts');
const { reportOf } = await import('../../auditor/src/report.ts');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { acknowledged: { type: 'string' } },
});
// Another folder than .pointgate/ can be named, for tests.
const [home = join(import.meta.dirname, '../../.pointgate')] = positionals;

try {
  process.exitCode = await check();
} catch (error) {
  process.stderr.write(`The books could not be read: ${reasonOf(error)}\n`);
  process.exitCode = 2;
}

async function check(): Promise<number> {
  const addresses = findAddresses(home);
  if (addresses === undefined) {
    process.stderr.write('Nothing to check: start the shop first, with npm run demo.\n');
    return 2;
  }
  const { text, isGreen } = reportOf(await checkBooks(addresses, Date.now(), values.acknowledged));
  process.stdout.write(`${text}\n`);
  return isGreen ? 0 : 1;
}
