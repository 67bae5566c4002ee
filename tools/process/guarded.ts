import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What guard.ts is told to do. Secrets go through the environment: everybody can read arguments. */
export type GuardOrder = {
  command: string;
  args: string[];
  cwd: string;
  account: { uid: number; gid: number } | null;
  stopSignal: NodeJS.Signals;
  /** After this long the program is killed. */
  patienceMs: number;
  /** Deleted once the program has ended. */
  removeAfter: string[];
};

/** Starts a program that is stopped when this process ends, in whatever way it ends. */
export function spawnGuarded(
  order: GuardOrder,
  options: { env: NodeJS.ProcessEnv; output: 'pipe' | number },
): ChildProcess {
  const guard = fileURLToPath(new URL('./guard.ts', import.meta.url));
  const stdio: StdioOptions = ['pipe', options.output, options.output];
  return spawn(process.execPath, [guard, JSON.stringify(order)], {
    stdio,
    env: options.env,
    // Its own process group, so that Ctrl-C in a terminal reaches us alone and we stop in order.
    detached: true,
  });
}

/** Asks a guard, or a program that ends with its input, to end, and waits until it has. */
export async function closeInput(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}
