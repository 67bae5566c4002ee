/** The sandbox clock: the real time plus what a test has advanced it by. */
export type Clock = {
  nowMs(): number;
  nowSeconds(): number;
  advance(seconds: number): void;
  /** Resets to the real time; returns by how much the clock was ahead. */
  reset(): number;
};

export function createClock(): Clock {
  let advancedMs = 0;
  const nowMs = () => Date.now() + advancedMs;
  return {
    nowMs,
    nowSeconds: () => Math.floor(nowMs() / 1000),
    advance: (seconds) => {
      advancedMs += seconds * 1000;
    },
    reset: () => {
      const wentBackMs = advancedMs;
      advancedMs = 0;
      return wentBackMs;
    },
  };
}

export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
