/** Work that several players or parties repeat until it is stopped. */
export interface Activity {
  /** Settles when everybody has finished the current step. */
  stop(): Promise<void>;
  /** Rejects as soon as one of them fails. */
  failure: Promise<never>;
}

export function repeatUntilStopped(works: readonly (() => Promise<void>)[]): Activity {
  let isOver = false;
  const loops = Promise.all(
    works.map(async (work) => {
      while (!isOver) await work();
    }),
  );
  const failure = loops.then(() => new Promise<never>(() => {}));
  failure.catch(() => {}); // Rejections are handled by those who await it.
  return {
    stop: async () => {
      isOver = true;
      await loops;
    },
    failure,
  };
}
