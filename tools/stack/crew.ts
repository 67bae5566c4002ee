import { type Program, type ProgramOrder, startProgram } from './program.ts';
import type { ReadyLine } from './ready-line.ts';

export type Task = Pick<
  ProgramOrder,
  'name' | 'command' | 'args' | 'env' | 'guarded' | 'goesOnInLog'
>;

/** Everything that was started together, so that it can fail and stop together. */
export type Crew = {
  /** Waits for one part of the start, but not longer than until anything fails or we must stop. */
  waitFor: <T>(part: Promise<T>) => Promise<T>;
  start: (task: Task, isUp?: (program: Program) => Promise<unknown>) => Promise<Program>;
  /** Runs a program to its end and returns the line in which it said ready, if it did. */
  run: (task: Task) => Promise<ReadyLine | undefined>;
  /** Called in reverse order when the crew stops. */
  onStop: (stop: () => Promise<void>) => void;
  fail: (what: string) => void;
  failed: Promise<string>;
  stop: () => Promise<void>;
};

export function gatherCrew(input: {
  root: string;
  logs: string;
  say: (progress: string) => void;
  signal: AbortSignal | undefined;
}): Crew {
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  const stops: (() => Promise<void>)[] = [];
  const broken = failed.then((what) => Promise.reject(new Error(what)));
  const aborted = rejectionOf(input.signal);
  // Whoever waits sees them; when nobody does, they are no uncaught errors.
  for (const promise of [broken, aborted]) promise.catch(() => {});
  const waitFor = <T>(part: Promise<T>) => Promise.race([part, broken, aborted]);

  const launch = (task: Task) => {
    input.signal?.throwIfAborted();
    input.say(task.name);
    const program = startProgram({ ...task, cwd: input.root, logs: input.logs });
    stops.push(program.stop);
    return program;
  };
  return {
    waitFor,
    start: async (task, isUp = (program) => program.ready()) => {
      const program = launch(task);
      void program.failed.then(fail);
      await waitFor(isUp(program));
      return program;
    },
    run: async (task) => {
      const program = launch(task);
      await waitFor(program.finished());
      return program.readyLine();
    },
    onStop: (stop) => stops.push(stop),
    fail,
    failed,
    stop: async () => {
      for (const stop of stops.splice(0).reverse()) await stop();
    },
  };
}

function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
