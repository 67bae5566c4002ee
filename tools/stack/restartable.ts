import type { ProcessGroup } from './process-group.ts';
import type { Program } from './program.ts';
import type { TaskIn } from './tasks.ts';

/** A program that can be stopped and restarted repeatedly. */
export type Restartable = {
  name: string;
  /** Sends SIGKILL: no cleanup. */
  kill: () => Promise<void>;
  /** Sends SIGTERM: the program finishes its current work. */
  stop: () => Promise<void>;
  /**
   * Restarts the program at the same address and waits until it is ready, from the same checkout as
   * before or from the given one.
   */
  start: (root?: string) => Promise<void>;
};

export async function startRestartable(
  group: ProcessGroup,
  taskIn: TaskIn,
  firstRoot: string,
): Promise<Restartable> {
  const { name } = taskIn(firstRoot);
  let root = firstRoot;
  let running: Program | undefined = await group.start(taskIn(root));
  const takeRunning = () => {
    if (running === undefined) throw new Error(`${name} is not running.`);
    const program = running;
    running = undefined;
    return program;
  };
  return {
    name,
    kill: async () => await takeRunning().kill(),
    stop: async () => await takeRunning().stop(),
    start: async (other) => {
      if (running !== undefined) throw new Error(`${name} runs already.`);
      root = other ?? root;
      running = await group.start({ ...taskIn(root), appendsToLog: true });
    },
  };
}
