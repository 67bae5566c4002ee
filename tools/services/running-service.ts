import type { ChildProcess } from 'node:child_process';
import { closeInput } from '../process/guarded.ts';
import { lastLinesOf } from '../process/last-lines.ts';

export type RunningService = {
  url: string;
  /** Settles with a description when it ends before anybody asked it to. */
  failed: Promise<string>;
  stop: () => Promise<void>;
};

/** Watches over a guarded server: an end that we brought about ourselves is no failure. */
export function watchService(child: ChildProcess, log: string) {
  let isExpected = false;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    failed: exited.then(async () =>
      isExpected
        ? new Promise<never>(() => {})
        : `A server ended unexpectedly. ${await lastLinesOf(log)}`,
    ),
    stop: () => {
      isExpected = true;
      return closeInput(child);
    },
    /** Settles when it has ended of what was done to it. */
    endBy: async (deed: () => void) => {
      isExpected = true;
      deed();
      await exited;
    },
  };
}
