import { settlementPlanFields } from '../platform/settlement-plan.ts';
import { name, object, optional, type ReadBy, text, textRecord, whole } from '../platform/shape.ts';

const inventedRow = object({
  id: optional(name),
  /** By the sandbox clock; by default the start of the file's interval. */
  created: optional(whole),
  amount: whole,
  fee: optional(whole),
  currency: text,
  reportingCategory: optional(name),
  sourceId: optional(name),
  chargeId: optional(name),
  paymentIntentId: optional(name),
  /** Shown in all metadata columns. */
  metadata: optional(textRecord),
});
export type InventedRow = ReadBy<typeof inventedRow>;

/** Keyed by the ids of balance transactions or of their sources; amounts are signed. */
export const settlementPlanReader = object(settlementPlanFields(inventedRow));
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;
