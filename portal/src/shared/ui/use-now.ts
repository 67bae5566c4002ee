import { useEffect, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';

// Timers of browsers are limited to 24 days, so longer waits are checked once a day.
export const waitMaxMs = 86_400_000;

/** The server time, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The server time, updated at each of these times. */
export function useNowAt(moments: readonly (string | null)[]): number {
  const [now, setNow] = useState(serverNow);
  const next = nextOf(moments, now);
  useEffect(() => {
    if (next === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const wait = next - serverNow();
      if (wait <= 0) setNow(serverNow());
      else timer = setTimeout(look, Math.min(wait, waitMaxMs));
    };
    look();
    return () => clearTimeout(timer);
  }, [next]);
  return now;
}

function nextOf(moments: readonly (string | null)[], now: number): number | null {
  const coming = moments.flatMap((iso) => (iso === null ? [] : [Date.parse(iso)]));
  const next = Math.min(...coming.filter((time) => time > now));
  return Number.isFinite(next) ? next : null;
}
