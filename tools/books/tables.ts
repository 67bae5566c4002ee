import type { Snapshot } from './snapshot.ts';
import type { Totals } from './totals.ts';

/** The shop's tables at one moment. */
export interface Tables {
  snapshot: Snapshot;
  totals: Totals;
}
