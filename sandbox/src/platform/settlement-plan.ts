import { listOf, name, optional, type Reader, recordOf, whole } from './shape.ts';

/** What a test gets wrong in what a provider says of its books. */
export function settlementPlanFields<Invented>(invented: Reader<Invented>) {
  return {
    /** Ids of what is left out. */
    omit: optional(listOf(name)),
    /** Other amounts, in the smallest unit, by id. */
    alter: optional(recordOf(whole)),
    /** What never happened. */
    invent: optional(listOf(invented)),
  };
}
