import type { PlannedFrom } from './fault-plan.ts';
import { atLeast, object, oneOf, optional, type ReadBy } from './shape.ts';

/** The outcome of the next refunds. */
export const refundPlanReader = object({
  next: oneOf(['succeeded', 'pending', 'failed']),
  times: optional(atLeast(1)),
});
export type RefundPlan = PlannedFrom<ReadBy<typeof refundPlanReader>>;
