// Checks the books of the running demo, or else of the running dev shop: npm run books
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type BooksAddresses, checkBooks } from './check-books.ts';
import { reportOf } from './report.ts';

const Addresses = z.object({
  databaseUrl: z.string(),
  sandbox: z.object({ stripe: z.string(), game: z.string() }),
});

const { text, isGreen } = reportOf(await checkBooks(findAddresses()));
process.stdout.write(`${text}\n`);
process.exitCode = isGreen ? 0 : 1;

function findAddresses(): BooksAddresses {
  for (const name of ['demo', 'dev']) {
    const file = fileURLToPath(new URL(`../../.pointgate/${name}/stack.json`, import.meta.url));
    if (existsSync(file)) return Addresses.parse(JSON.parse(readFileSync(file, 'utf8')));
  }
  process.stderr.write('Nothing to check: start the shop first, with npm run demo.\n');
  process.exit(2);
}
