import { randomInt } from 'node:crypto';
import { type Abroad, openCourt, type Verdict } from './court.ts';
import type { Violation } from './invariant.ts';
import {
  isWithin,
  listUnplain,
  type Range,
  readUncancelled,
  readUnplain,
  sumOfAll,
  sumOfMonth,
} from './suspects.ts';
import type { Tables } from './tables.ts';

/** I1, I2, I4, I5, I7, I8 and I10, and what orders have to do with the world. */
interface CheckedOrders {
  /** Of the orders that are not plain, before it is known that all others are. */
  unplain: Promise<Abroad[]>;
  violations: Promise<Violation[]>;
  /** Holds what orders say of the world against it. */
  abroad<T>(compare: (told: Promise<Abroad[]>) => Promise<T>): Promise<T>;
}

/**
 * Judges every order that is not proven to be in order by sums alone: those that are not plain, and,
 * of a month whose sums do not come to nothing without them, those that make it so.
 */
export function checkOrders({ snapshot, totals }: Tables, months: readonly Range[]): CheckedOrders {
  const seed = randomInt(2 ** 40);
  const court = openCourt();
  const sum = sumOfAll(totals, seed);
  const listed = listUnplain(totals);

  const judgeUnplain = async (month: Range) => {
    const own = (await listed).filter(({ paymentId }) => isWithin(paymentId, month));
    const unplain = await readUnplain(snapshot, own, { month, seed });
    return { month, sum: unplain.sum, verdicts: unplain.suspects.map(court.judge) };
  };
  const unplain = Promise.all(months.map(judgeUnplain));

  const judgeAll = async () => {
    const [judged, sumOfRows] = await Promise.all([unplain, sum]);
    const isProven = sumOfRows === judged.reduce((all, month) => all + month.sum, 0n);
    if (isProven) return { isProven, verdicts: judged.flatMap(({ verdicts }) => verdicts) };
    const again = judged.map(async ({ month, sum: sumOfUnplain, verdicts }) => {
      if ((await sumOfMonth(snapshot, month, seed)) === sumOfUnplain) return verdicts;
      return (await readUncancelled(snapshot, month, seed)).map(court.judge);
    });
    return { isProven, verdicts: (await Promise.all(again)).flat() };
  };
  const all = judgeAll();
  const abroad = unplain.then((judged) => abroadOf(judged.flatMap(({ verdicts }) => verdicts)));
  return {
    unplain: abroad,
    violations: all.then(({ verdicts }) => verdicts.flatMap(({ violations }) => violations)),
    abroad: async (compare) => {
      // Plain orders have nothing to say, so this is it, as soon as the sums prove that they are.
      const [compared, { isProven, verdicts }] = await Promise.all([compare(abroad), all]);
      return isProven ? compared : await compare(Promise.resolve(abroadOf(verdicts)));
    },
  };
}

function abroadOf(verdicts: readonly Verdict[]): Abroad[] {
  return verdicts.flatMap(({ abroad }) => (abroad === undefined ? [] : [abroad]));
}
