/** Live work is under way while we look. What is still moving after this long is not under way. */
export const patience = `interval '2 minutes'`;
export const patienceMs = 2 * 60_000;

/** What is wrong, and which invariant it breaks. */
export interface Violation {
  id: string;
  text: string;
}
