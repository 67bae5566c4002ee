import { settlementPlanFields } from '../platform/settlement-plan.ts';
import { flag, name, object, optional, type ReadBy, whole } from '../platform/shape.ts';

/** Keyed by trade and refund ids; amounts are in fen. */
export const settlementPlanReader = object({
  ...settlementPlanFields(object({ amount: whole, outTradeNo: name, tradeNo: name })),
  /** The totals do not match the lines. */
  wrongSums: optional(flag),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;
