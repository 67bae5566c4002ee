/** What was compared with somebody outside, and what is not the same there and here. */
export interface Compared {
  checked: number;
  violations: string[];
}
