import { AppError } from '../../platform/errors.ts';

/** Runs a hash when there is room for it. */
export type HashSlots = <T>(caller: { isKnown: boolean }, work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many run at once; the others wait for their turn. Players at a place that is known go first,
 * and strangers for whom there is no room to wait are told that the shop is busy.
 */
export function openHashSlots(max: { atOnce: number; strangersWaitingMax: number }): HashSlots {
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let running = 0;
  return async ({ isKnown }, work) => {
    // Whoever ends hands its place over, so nobody can slip in between.
    if (running >= max.atOnce) {
      if (!isKnown && strangers.length >= max.strangersWaitingMax) throw new AppError('SystemBusy');
      await new Promise<void>((resolve) => (isKnown ? known : strangers).push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = known.shift() ?? strangers.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
