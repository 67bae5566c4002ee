/** The shop works while it is audited, so pending work is a violation only after this time. */
export const gracePeriod = `interval '2 minutes'`;
export const gracePeriodMs = 2 * 60_000;

/** A violation and the invariant that it breaks. */
export interface Violation {
  id: string;
  text: string;
}
