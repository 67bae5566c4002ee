import { setTimeout as sleep } from 'node:timers/promises';

/** Polls a condition. Throws with `what` after the timeout. */
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
