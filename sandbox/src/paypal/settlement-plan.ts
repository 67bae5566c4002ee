import { settlementPlanFields } from '../platform/settlement-plan.ts';
import { name, object, optional, type ReadBy, text, whole } from '../platform/shape.ts';

const inventedRow = object({
  id: optional(name),
  /** By the sandbox clock; by default the start of the requested interval. */
  created: optional(whole),
  amount: whole,
  currency: text,
  eventCode: optional(name),
  reference: optional(name),
  customField: optional(name),
});
export type InventedRow = ReadBy<typeof inventedRow>;

/** Keyed by transaction ids; amounts are signed. */
export const settlementPlanReader = object(settlementPlanFields(inventedRow));
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;
