/**
 * Ensures a minimum of operations between two faults. A fault right after another one has nothing
 * to break, and a run of such faults proves nothing.
 */
export interface Gate {
  /** Counts a completed money operation. */
  count(): void;
  /**
   * Resolves once enough operations were counted since the last fault; rejects if that takes too
   * long.
   */
  pass(): Promise<void>;
  operations(): number;
  faults(): number;
  /** The smallest number of operations between two faults. */
  fewest(): number;
}

export function openGate({
  operationsMin,
  patienceMs,
}: {
  operationsMin: number;
  patienceMs: number;
}): Gate {
  let operations = 0;
  let faults = 0;
  let atLastFault = 0;
  let fewest = Number.POSITIVE_INFINITY;
  let notice = () => {};

  const enough = () =>
    new Promise<void>((resolve, reject) => {
      const since = () => operations - atLastFault;
      if (since() >= operationsMin) return resolve();
      const timer = setTimeout(
        () => reject(new Error(`Invalid: ${since()} operations in ${patienceMs} ms.`)),
        patienceMs,
      );
      notice = () => {
        if (since() < operationsMin) return;
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    count: () => {
      operations += 1;
      notice();
    },
    pass: async () => {
      await enough();
      fewest = Math.min(fewest, operations - atLastFault);
      atLastFault = operations;
      faults += 1;
    },
    operations: () => operations,
    faults: () => faults,
    fewest: () => fewest,
  };
}
