import { setTimeout as sleep } from 'node:timers/promises';
import { isLockLost } from './db.ts';
import { log } from './log.ts';

/** Everybody who comes to a table waits behind whoever waits for all of it, so nobody waits longer. */
export const lockMs = 300;

const triesMax = 60;
const waitMaxMs = 10_000;

/**
 * For work that sets `lock_timeout` to `lockMs`: gives up a lock before anybody who came later has waited
 * long behind it, and tries again.
 */
export async function untilUnlocked<T>(name: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockLost(error) || tries >= triesMax) throw error;
      const waitMs = Math.min(500 * tries, waitMaxMs);
      log.warn({ work: name, tries, waitMs }, 'a lock was not to be had; it is tried again');
      await sleep(waitMs);
    }
  }
}
