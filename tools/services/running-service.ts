import type { ChildProcess } from 'node:child_process';
import { closeInput } from '../process/guarded.ts';
import { lastLinesOf } from '../process/last-lines.ts';

export type RunningService = {
  url: string;
  /** Settles with a description if the service exits unexpectedly. */
  failed: Promise<string>;
  stop: () => Promise<void>;
};

/** Watches a guarded server and distinguishes requested exits from failures. */
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
    /** Performs an action that ends the service, and waits for its exit. */
    endBy: async (deed: () => void) => {
      isExpected = true;
      deed();
      await exited;
    },
  };
}
