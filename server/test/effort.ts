/**
 * How much a test tries. Every change is tried with the smaller number; `npm run night` sets
 * TEST_SIZE=full and tries all of it.
 */
export function effort(size: { gate: number; night: number }): number {
  return process.env.TEST_SIZE === 'full' ? size.night : size.gate;
}
