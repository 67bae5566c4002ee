import { type Program, type ProgramOptions, startProgram } from './program.ts';
import type { ReadyLine } from './ready-line.ts';

export type Task = Pick<
  ProgramOptions,
  'name' | 'command' | 'args' | 'env' | 'guarded' | 'appendsToLog'
>;

/** Programs that were started together and that fail and stop together. */
export type ProcessGroup = {
  /** Waits for a part of the start, unless a program fails or the start is aborted first. */
  waitFor: <T>(part: Promise<T>) => Promise<T>;
  start: (task: Task, isUp?: (program: Program) => Promise<unknown>) => Promise<Program>;
  /** Runs a program to completion and returns its ready line, if it printed one. */
  run: (task: Task) => Promise<ReadyLine | undefined>;
  /** Registers a function that is called in reverse order when the group stops. */
  onStop: (stop: () => Promise<void>) => void;
  fail: (what: string) => void;
  failed: Promise<string>;
  stop: () => Promise<void>;
};

export function createProcessGroup(input: {
  root: string;
  logs: string;
  say: (progress: string) => void;
  signal: AbortSignal | undefined;
}): ProcessGroup {
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  const stops: (() => Promise<void>)[] = [];
  const broken = failed.then((what) => Promise.reject(new Error(what)));
  const aborted = rejectionOf(input.signal);
  // Rejections are handled by those who await them; otherwise this avoids unhandled rejections.
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
