import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';

/** Kinds of calls that should take the same time; each prepares and returns the call. */
export type Kinds<Name extends string> = Record<Name, () => Promise<() => Promise<void>>>;

/**
 * The durations of the calls in milliseconds. The kinds are interleaved in random order, so that
 * other load on the machine affects them equally.
 */
export async function timesOf<Name extends string>(
  kinds: Kinds<Name>,
  { each }: { each: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(kinds) as Name[]; // as: they are its own keys
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >; // as: one for each name
  const turns = shuffled(Array.from({ length: each }, () => names).flat());
  for (const name of turns) {
    const call = await kinds[name]();
    const begun = performance.now();
    await call();
    times[name].push(performance.now() - begun);
  }
  return times;
}

/**
 * The probability that a call of the first kind takes longer than one of the second: 0.5 if they
 * are indistinguishable. By ranks (Mann-Whitney), because a mean depends on a few slow calls.
 */
export function chanceOfLonger(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((time) => ({ time, isFirst: true })),
    ...second.map((time) => ({ time, isFirst: false })),
  ].sort((one, other) => one.time - other.time);
  let pairs = 0;
  let secondsBefore = 0;
  for (const { isFirst } of all) {
    if (isFirst) pairs += secondsBefore;
    else secondsBefore += 1;
  }
  return pairs / (first.length * second.length);
}

function shuffled<T>(items: T[]): T[] {
  const cards = [...items];
  for (let left = cards.length - 1; left > 0; left -= 1) {
    const drawn = randomInt(left + 1);
    [cards[left], cards[drawn]] = [cards[drawn] as T, cards[left] as T]; // as: both are in range
  }
  return cards;
}
