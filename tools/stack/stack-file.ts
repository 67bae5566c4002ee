import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive } from '../process/is-alive.ts';

/** Where a running stack can be found by other tools. There as long as the stack is. */
export type StackFile = {
  databaseUrl: string;
  redisUrl: string | null;
  portal: string;
  api: string;
  sandbox: { stripe: string; game: string };
  pid: number;
};

export function writeStackFile(file: string, content: StackFile): void {
  mkdirSync(dirname(file), { recursive: true });
  // For our eyes only: the address of the database holds its password.
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

export function removeStackFile(file: string): void {
  rmSync(file, { force: true });
}

/** Throws if the stack runs already: two would pull the database from under each other. */
export function assertNotRunning(file: string): void {
  if (!existsSync(file)) return;
  const { pid, portal } = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  if (isAlive(pid)) {
    throw new Error(
      `It runs already, as process ${pid}: ${portal}. Stop that first, or delete ${file}.`,
    );
  }
}
