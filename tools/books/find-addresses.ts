import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../process/is-alive.ts';
import type { BooksAddresses } from './check-books.ts';

const StackFile = z.object({
  pid: z.int(),
  databaseUrl: z.string(),
  sandbox: z.object({ stripe: z.string(), game: z.string() }),
});

/** Where the running demo is, or else the running dev shop. */
export function findAddresses(home: string): BooksAddresses | undefined {
  for (const name of ['demo', 'dev']) {
    const file = join(home, name, 'stack.json');
    if (!existsSync(file)) continue;
    const { pid, ...addresses } = StackFile.parse(JSON.parse(readFileSync(file, 'utf8')));
    // A stack that was killed had no time to take its file away.
    if (isAlive(pid)) return addresses;
  }
  return undefined;
}
