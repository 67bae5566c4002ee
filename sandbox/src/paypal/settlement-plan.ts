import {
  listOf,
  name,
  object,
  optional,
  type ReadBy,
  recordOf,
  text,
  whole,
} from '../platform/shape.ts';

const inventedRow = object({
  id: optional(name),
  /** By the sandbox's clock; the beginning of the asked time without it. */
  created: optional(whole),
  amount: whole,
  currency: text,
  eventCode: optional(name),
  reference: optional(name),
  customField: optional(name),
});
export type InventedRow = ReadBy<typeof inventedRow>;

/** What a test gets wrong in reports. Amounts are in the smallest unit, signed. */
export const settlementPlanReader = object({
  /** Ids of transactions. */
  omit: optional(listOf(name)),
  alter: optional(recordOf(whole)),
  invent: optional(listOf(inventedRow)),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export const noSettlementPlan: SettlementPlan = settlementPlanReader({}, 'plan');
