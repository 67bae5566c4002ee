/**
 * Keeps faults apart. A fault that comes before anything was done since the last one finds nothing
 * to break, and a run of such faults proves nothing, however many they are.
 */
export interface Gate {
  /** A money operation came to its good end. */
  count(): void;
  /** Lets a fault through once enough was done; throws when that takes too long. */
  pass(): Promise<void>;
  operations(): number;
  faults(): number;
  /** The fewest operations between two faults. */
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
