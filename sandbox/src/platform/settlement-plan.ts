import { listOf, name, optional, type Reader, recordOf, whole } from './shape.ts';

/** The errors that a test plans in settlement files and reports. */
export function settlementPlanFields<Invented>(invented: Reader<Invented>) {
  return {
    /** Ids of the lines to leave out. */
    omit: optional(listOf(name)),
    /** Replaced amounts by id, in the smallest unit. */
    alter: optional(recordOf(whole)),
    /** Invented lines. */
    invent: optional(listOf(invented)),
  };
}
