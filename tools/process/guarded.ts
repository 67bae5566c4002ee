import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * The argument of guard.ts. Secrets are passed by the environment, because arguments are readable
 * by all users.
 */
export type GuardOrder = {
  command: string;
  args: string[];
  cwd: string;
  account: { uid: number; gid: number } | null;
  stopSignal: NodeJS.Signals;
  /** The time after which the program is killed. */
  patienceMs: number;
  /** Deleted after the program has exited. */
  removeAfter: string[];
};

/** Starts a program that is stopped when this process ends for any reason. */
export function spawnGuarded(
  order: GuardOrder,
  options: { env: NodeJS.ProcessEnv; output: 'pipe' | number },
): ChildProcess {
  const guard = fileURLToPath(new URL('./guard.ts', import.meta.url));
  const stdio: StdioOptions = ['pipe', options.output, options.output];
  return spawn(process.execPath, [guard, JSON.stringify(order)], {
    stdio,
    env: options.env,
    // A separate process group, so that Ctrl-C reaches only this process, which stops all in order.
    detached: true,
  });
}

/**
 * Closes the input of a guard, or of a program that exits with its input, and waits for its exit.
 */
export async function closeInput(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}
