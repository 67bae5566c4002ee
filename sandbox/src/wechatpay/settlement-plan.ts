import { settlementPlanFields } from '../platform/settlement-plan.ts';
import { flag, name, object, optional, type ReadBy, whole } from '../platform/shape.ts';

/** Keyed by transaction and refund ids; amounts are in fen. */
export const settlementPlanReader = object({
  ...settlementPlanFields(object({ amount: whole, outTradeNo: name, transactionId: name })),
  /** The told hash does not match the file. */
  wrongHash: optional(flag),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;
