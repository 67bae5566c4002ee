/** Categories of preparation time. `wait` is waiting for asynchronous work. */
export type Cost = 'clone' | 'sandbox' | 'shop' | 'program' | 'wait';

const spentMs = new Map<Cost, number>();

/** Measures the duration of a preparation. Concurrent preparations are each counted in full. */
export async function costing<T>(cost: Cost, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    spentMs.set(cost, (spentMs.get(cost) ?? 0) + performance.now() - begun);
  }
}

/** The durations since the last call. */
export function takeCosts(): Partial<Record<Cost, number>> {
  const taken = Object.fromEntries(spentMs);
  spentMs.clear();
  return taken;
}
