// Audits a shop of one million orders, or of as many as told, three times, and says how long it took:
// npm run books-million [-- orders]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [, , orders = '1000000'] = process.argv;

const { status } = spawnSync(
  process.execPath,
  [
    ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'db'],
    ...['tools/books/many-orders', '--testNamePattern', 'soon gone through'],
    '--disableConsoleIntercept',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BOOKS_ORDERS: orders, BOOKS_RUNS: '3' },
  },
);
process.exitCode = status ?? 1;
