/** Work that several players or parties repeat until it is stopped. */
export interface Activity {
  /** Settles when everybody has finished the current step. */
  stop(): Promise<void>;
  /** Rejects as soon as one of them fails. */
  trouble: Promise<never>;
}

export function keepDoing(works: readonly (() => Promise<void>)[]): Activity {
  let isOver = false;
  const lives = Promise.all(
    works.map(async (work) => {
      while (!isOver) await work();
    }),
  );
  const trouble = lives.then(() => new Promise<never>(() => {}));
  trouble.catch(() => {}); // Rejections are handled by those who await it.
  return {
    stop: async () => {
      isOver = true;
      await lives;
    },
    trouble,
  };
}
