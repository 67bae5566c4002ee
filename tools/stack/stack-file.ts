import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../process/is-alive.ts';
import { sandboxServices } from './addresses.ts';

/** The addresses of a running stack for other tools. Exists as long as the stack runs. */
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
  // Readable only by the owner, because the database address contains its password.
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

export function removeStackFile(file: string): void {
  rmSync(file, { force: true });
}

/** The file of a stack that is still running. A killed stack leaves its file behind. */
export function readRunningStack(file: string): StackFile | undefined {
  if (!existsSync(file)) return undefined;
  const stack = StackFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  return isAlive(stack.pid) ? stack : undefined;
}

/** Throws if the stack is already running, because two would use the same database. */
export function assertNotRunning(file: string): void {
  const running = readRunningStack(file);
  if (running === undefined) return;
  const { pid, portal } = running;
  throw new Error(
    `It runs already, as process ${pid}: ${portal}. Stop that first, or delete ${file}.`,
  );
}
