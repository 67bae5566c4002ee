// Audits a shop of one million orders, or of as many as told, five times, and says how long it took:
// npm run books-million [-- orders]
import { spawnSync } from 'node:child_process';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [, , orders = '1000000'] = process.argv;

// What PostgreSQL's manual advises for a server of its own.
const quarterOfMemory = `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;

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
    env: {
      ...process.env,
      BOOKS_ORDERS: orders,
      BOOKS_RUNS: '5',
      POSTGRES_SHARED_BUFFERS: quarterOfMemory,
    },
  },
);
process.exitCode = status ?? 1;
