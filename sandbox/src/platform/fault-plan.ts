/** Faults waiting to happen. Each happens a number of times, the oldest that fits first. */
export type FaultPlan<F extends { times: number }> = {
  add(fault: F): void;
  /** The fault to commit now, used up by one; undefined when none fits. */
  take(fits: (fault: F) => boolean): F | undefined;
  list(): F[];
  clear(): void;
};

export function createFaultPlan<F extends { times: number }>(): FaultPlan<F> {
  let waiting: F[] = [];
  return {
    add: (fault) => {
      waiting.push({ ...fault });
    },
    take: (fits) => {
      const fault = waiting.find(fits);
      if (fault === undefined) return undefined;
      fault.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      return fault;
    },
    list: () => waiting.map((fault) => ({ ...fault })),
    clear: () => {
      waiting = [];
    },
  };
}
