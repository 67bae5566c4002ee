import type { Crew, Task } from './crew.ts';
import type { Program } from './program.ts';

/** A program that may be killed and started again, as often as somebody wants to see what follows. */
export type Victim = {
  name: string;
  /** SIGKILL: it gets no chance to hand anything over. */
  kill: () => Promise<void>;
  /** Starts it again, at the same address, and waits until it is ready. */
  start: () => Promise<void>;
};

export async function startVictim(crew: Crew, task: Task): Promise<Victim> {
  let running: Program | undefined = await crew.start(task);
  return {
    name: task.name,
    kill: async () => {
      if (running === undefined) throw new Error(`${task.name} is dead already.`);
      const program = running;
      running = undefined;
      await program.kill();
    },
    start: async () => {
      if (running !== undefined) throw new Error(`${task.name} runs already.`);
      running = await crew.start({ ...task, goesOnInLog: true });
    },
  };
}
