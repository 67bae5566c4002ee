/** What preparing a test takes time for. Waiting is waiting for something that happens by itself. */
export type Cost = 'clone' | 'sandbox' | 'shop' | 'program' | 'wait';

const spentMs = new Map<Cost, number>();

/** Counts how long a piece of preparation takes. Pieces that run side by side are each counted whole. */
export async function costing<T>(cost: Cost, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    spentMs.set(cost, (spentMs.get(cost) ?? 0) + performance.now() - begun);
  }
}

/** All that was counted since the last call. */
export function takeCosts(): Partial<Record<Cost, number>> {
  const taken = Object.fromEntries(spentMs);
  spentMs.clear();
  return taken;
}
