import { setTimeout as wait } from 'node:timers/promises';

/** Calls that keep their caller waiting. */
export type Hanging = {
  /** Ends when the time is over or somebody lets go; true if the program is ending instead. */
  hang(ms: number | undefined): Promise<boolean>;
  /** All that hang now go on at once, so that a test need not guess how long something takes. */
  letGo(): void;
};

export function createHanging(ending: AbortSignal): Hanging {
  let holding = new AbortController();
  return {
    hang: async (ms = 60_000) => {
      const signal = AbortSignal.any([holding.signal, ending]);
      await wait(ms, undefined, { signal }).catch(() => {});
      return ending.aborted;
    },
    letGo: () => {
      holding.abort();
      holding = new AbortController();
    },
  };
}
