import { firstIdAt } from './ids.ts';

/** A calendar month in UTC, the unit of partitioning for orders. */
export interface Month {
  /** As in `2025-01`. */
  name: string;
  /** The suffix of its partitions, such as `_2025_01`. */
  suffix: string;
  begins: Date;
  ends: Date;
  /** The smallest order id of this month, and of the next one. */
  firstId: string;
  endId: string;
}

/** Undefined if the text is not of the form `2025-01`. */
export function monthOf(name: string): Month | undefined {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(name)) return undefined;
  const begins = new Date(`${name}-01T00:00:00Z`);
  const ends = new Date(begins);
  ends.setUTCMonth(ends.getUTCMonth() + 1);
  return {
    name,
    suffix: `_${name.replace('-', '_')}`,
    begins,
    ends,
    firstId: firstIdAt(begins),
    endId: firstIdAt(ends),
  };
}

/** The month in which the order with this id was placed. */
export function monthOfId(id: string): Month | undefined {
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return monthOf(new Date(ms).toISOString().slice(0, 7));
}

/** The number of months between two dates, regardless of their days. */
export function monthsBetween(earlier: Date, later: Date): number {
  const years = later.getUTCFullYear() - earlier.getUTCFullYear();
  return years * 12 + later.getUTCMonth() - earlier.getUTCMonth();
}
