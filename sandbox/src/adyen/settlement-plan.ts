import { settlementPlanFields } from '../platform/settlement-plan.ts';
import { flag, name, object, optional, type ReadBy, whole } from '../platform/shape.ts';

/** Keyed by the ids of payments and their modifications; amounts are signed. */
export const settlementPlanReader = object({
  ...settlementPlanFields(
    object({ type: name, pspReference: name, amount: whole, currency: name }),
  ),
  /** Makes a report available at once instead of from the next day. */
  isReady: optional(flag),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;
