/**
 * The size of a test: the smaller number in the gate, the larger one with TEST_SIZE=full, which
 * `npm run night` sets.
 */
export function effort(size: { gate: number; night: number }): number {
  return process.env.TEST_SIZE === 'full' ? size.night : size.gate;
}
