import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is yes. Throws with `what` when the time is over. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  limit: { timeoutMs: number; what: string },
): Promise<void> {
  const deadline = performance.now() + limit.timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`Waited ${limit.timeoutMs / 1000} s in vain: ${limit.what}.`);
    }
    await sleep(20);
  }
}
