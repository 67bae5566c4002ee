import { useEffect, useState } from 'react';

/** Counts down to a time of the device clock; 0 while there is none. */
export function useSecondsLeft(untilMs: number | null): number {
  const [now, setNow] = useState(Date.now);
  const left = untilMs === null ? 0 : Math.max(0, Math.ceil((untilMs - now) / 1000));
  const isRunning = left > 0;

  useEffect(() => {
    setNow(Date.now());
    if (untilMs === null || !isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [untilMs, isRunning]);

  return left;
}
