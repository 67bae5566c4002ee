// Audits a shop of one million orders, or of as many as told, and says how long it took:
// npm run books-million [-- orders]
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [, , orders = '1000000'] = process.argv;

// As PostgreSQL's manual advises for a dedicated server: a quarter of the memory, in huge pages.
const buffersMb = Math.floor(totalmem() / 4 / 2 ** 20);
const hugePages = '/proc/sys/vm/nr_hugepages';
const hugePageMb = 2;

/**
 * Reserves huge pages and returns the previous number; undefined without the permission to do so.
 */
function setAside(pages: number): number | undefined {
  try {
    const before = Number(readFileSync(hugePages, 'utf8'));
    writeFileSync(hugePages, `${before + pages}`);
    return before;
  } catch {
    process.stdout.write('Huge pages could not be set aside: it takes about a tenth longer.\n');
    return undefined;
  }
}

// PostgreSQL needs slightly more than its buffers.
const before = setAside(Math.ceil((buffersMb * 1.06) / hugePageMb));
// Ctrl-C ends the audit; the huge pages are released after that.
process.once('SIGINT', () => {});
const { status } = spawnSync(
  process.execPath,
  [
    ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'db'],
    ...[
      'tools/books/many-orders',
      '--testNamePattern',
      'all 16 audit invariants hold for thousands of orders',
    ],
    '--disableConsoleIntercept',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      BOOKS_ORDERS: orders,
      BOOKS_RUNS: '1',
      POSTGRES_SHARED_BUFFERS: `${buffersMb}MB`,
    },
  },
);
if (before !== undefined) writeFileSync(hugePages, `${before}`);
process.exitCode = status ?? 1;
