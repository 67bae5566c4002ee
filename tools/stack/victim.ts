import type { Crew } from './crew.ts';
import type { Program } from './program.ts';
import type { TaskIn } from './tasks.ts';

/** A program that may be ended and started again, as often as somebody wants to see what follows. */
export type Victim = {
  name: string;
  /** SIGKILL: it gets no chance to hand anything over. */
  kill: () => Promise<void>;
  /** SIGTERM: it finishes what it is at. */
  stop: () => Promise<void>;
  /**
   * Starts it again, at the same address, and waits until it is ready. It is the program of the same
   * sources as before, or of the checkout that is named.
   */
  start: (root?: string) => Promise<void>;
};

export async function startVictim(crew: Crew, taskIn: TaskIn, firstRoot: string): Promise<Victim> {
  const { name } = taskIn(firstRoot);
  let root = firstRoot;
  let running: Program | undefined = await crew.start(taskIn(root));
  const takeRunning = () => {
    if (running === undefined) throw new Error(`${name} is dead already.`);
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
      running = await crew.start({ ...taskIn(root), goesOnInLog: true });
    },
  };
}
