import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../process/is-alive.ts';
import { sandboxServices } from './addresses.ts';

/** Where a running stack can be found by other tools. There as long as the stack is. */
const StackFile = z.object({
  databaseUrl: z.string(),
  redisUrl: z.string().nullable(),
  portal: z.string(),
  api: z.string(),
  sandbox: z.record(z.enum(sandboxServices), z.string()),
  smtp: z.string(),
  paypalApi: z.string(),
  pid: z.int(),
});
type StackFile = z.output<typeof StackFile>;

export function writeStackFile(file: string, content: StackFile): void {
  mkdirSync(dirname(file), { recursive: true });
  // For our eyes only: the address of the database holds its password.
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

export function removeStackFile(file: string): void {
  rmSync(file, { force: true });
}

/** What a file says of a stack that runs. One that was killed had no time to take its file away. */
export function readRunningStack(file: string): StackFile | undefined {
  if (!existsSync(file)) return undefined;
  const stack = StackFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  return isAlive(stack.pid) ? stack : undefined;
}

/** Throws if the stack runs already: two would pull the database from under each other. */
export function assertNotRunning(file: string): void {
  const running = readRunningStack(file);
  if (running === undefined) return;
  const { pid, portal } = running;
  throw new Error(
    `It runs already, as process ${pid}: ${portal}. Stop that first, or delete ${file}.`,
  );
}
