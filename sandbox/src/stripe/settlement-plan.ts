import {
  listOf,
  name,
  object,
  optional,
  type ReadBy,
  recordOf,
  text,
  textRecord,
  whole,
} from '../platform/shape.ts';

const inventedRow = object({
  id: optional(name),
  /** By the sandbox's clock; the beginning of the file's time without it. */
  created: optional(whole),
  amount: whole,
  fee: optional(whole),
  currency: text,
  reportingCategory: optional(name),
  sourceId: optional(name),
  chargeId: optional(name),
  paymentIntentId: optional(name),
  /** Shown in the columns of metadata, whatever they belong to. */
  metadata: optional(textRecord),
});
export type InventedRow = ReadBy<typeof inventedRow>;

/** What a test gets wrong in settlement files. Amounts are in the smallest unit, signed. */
export const settlementPlanReader = object({
  /** Ids of balance transactions or of their sources. */
  omit: optional(listOf(name)),
  alter: optional(recordOf(whole)),
  invent: optional(listOf(inventedRow)),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export const noSettlementPlan: SettlementPlan = settlementPlanReader({}, 'plan');
