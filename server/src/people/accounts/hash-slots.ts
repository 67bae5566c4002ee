import { AppError } from '../../platform/errors.ts';

/** Runs a hash as soon as a slot is free. */
export type HashSlots = <T>(caller: { isKnown: boolean }, work: () => Promise<T>) => Promise<T>;

/**
 * Limits concurrent work and queues the rest. Callers from known places go first; strangers beyond
 * the waiting limit are refused with SystemBusy.
 */
export function openHashSlots(max: { atOnce: number; strangersWaitingMax: number }): HashSlots {
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let running = 0;
  return async ({ isKnown }, work) => {
    // Finished work hands its slot to the next waiter, so that no new call can overtake it.
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
