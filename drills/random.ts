import { createHash, randomInt } from 'node:crypto';
import { logProgress } from './progress.ts';

/** A seeded random generator. */
export interface Random {
  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** True with the given probability in percent. */
  percent(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /**
   * A generator of its own for one of several concurrent players, so that they do not affect each
   * other.
   */
  fork(name: string): Random;
}

/** The generator of this run; DRILL_SEED repeats an earlier run. */
export function randomOfThisRun(): Random {
  const seed = process.env.DRILL_SEED || String(randomInt(1_000_000_000));
  logProgress(`DRILL_SEED=${seed}`);
  return randomOf(seed);
}

export function randomOf(seed: string): Random {
  const next = numbersOf(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    percent: (share) => below(100) < share,
    pick: (from) => {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
    shuffle: (list) => {
      const left = [...list];
      return list.flatMap(() => left.splice(below(left.length), 1));
    },
    fork: (name) => randomOf(`${seed}/${name}`),
  };
}

/** The generator mulberry32: small, and good enough for choosing what to kill. */
function numbersOf(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
