// Audits the running demo, or else the running dev shop: npm run books
// Also compares it with a file of acknowledgements: npm run books -- --acknowledged <file>
// Exit status: 0 if all invariants hold, 1 if one is broken, 2 if something could not be read.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Enabled before the other imports, so that their compiled code is cached.
enableCompileCache();
const { checkBooks } = await import('./check-books.ts');
const { findAddresses } = await import('./find-addresses.ts');
const { reasonOf } = await import('../../auditor/src/reason.ts');
const { reportOf } = await import('../../auditor/src/report.ts');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { acknowledged: { type: 'string' } },
});
// Tests use another folder than .pointgate/.
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
