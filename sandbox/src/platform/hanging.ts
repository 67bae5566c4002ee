import { setTimeout as wait } from 'node:timers/promises';

/** The calls that a planned fault keeps waiting. */
export type Hanging = {
  /** Resolves after the time or on release; true if the program is ending instead. */
  hang(ms: number | undefined): Promise<boolean>;
  /** Releases all hanging calls, so that a test need not guess a duration. */
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
