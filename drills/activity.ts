/** Something that several do over and over until they are stopped. */
export interface Activity {
  /** Settles when everybody has come to the end of what they were at. */
  stop(): Promise<void>;
  /** Rejects as soon as one of them cannot go on. */
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
  trouble.catch(() => {}); // Whoever waits sees it.
  return {
    stop: async () => {
      isOver = true;
      await lives;
    },
    trouble,
  };
}
