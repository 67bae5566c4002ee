import { existsSync, readFileSync } from 'node:fs';

interface Ticks {
  stolen: number;
  all: number;
}

/**
 * Measures the share of processor time that the host of a virtual machine gives to others, in
 * percent; 0 if unknown. A measurement during that time is less reliable.
 */
export function watchStolenTime(): () => number {
  const before = readTicks();
  return () => {
    const after = readTicks();
    return (100 * (after.stolen - before.stolen)) / Math.max(1, after.all - before.all);
  };
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function readTicks(): Ticks {
  const file = '/proc/stat';
  if (!existsSync(file)) return { stolen: 0, all: 0 };
  const [, ...ticks] = (readFileSync(file, 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
  const known = ticks.slice(0, 8);
  return { stolen: known[7] ?? 0, all: known.reduce((sum, part) => sum + part, 0) };
}
