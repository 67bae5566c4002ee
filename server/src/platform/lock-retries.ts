import { setTimeout as sleep } from 'node:timers/promises';
import { isLockLost } from './db.ts';
import { log } from './log.ts';

/** A session that waits for an exclusive lock blocks all later ones, so the wait is short. */
export const lockMs = 300;

const triesMax = 60;
const waitMaxMs = 10_000;

/**
 * For work with `lock_timeout` set to `lockMs`: gives up a lock before later sessions have waited
 * long behind it, and retries.
 */
export async function retryOnLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockLost(error) || tries >= triesMax) throw error;
      const waitMs = Math.min(500 * tries, waitMaxMs);
      log.warn({ work: name, tries, waitMs }, 'a lock was not available, retrying');
      await sleep(waitMs);
    }
  }
}
