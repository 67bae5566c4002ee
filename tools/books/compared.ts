/**
 * The result of a comparison with an external party: the number of compared objects, and the
 * differences.
 */
export interface Compared {
  checked: number;
  violations: string[];
}
