import { nullable, object, oneOf, type ReadBy, text, whole } from '../platform/shape.ts';

export const sessionRow = object({
  id: text,
  created: whole,
  reference: text,
  amount: whole,
  currency: text,
  return_url: text,
  expires_at: whole,
  locale: text,
  item: text,
  asked: text,
  session_result: text,
  status: oneOf(['active', 'completed', 'refused', 'canceled', 'expired']),
  refusals: whole,
  challenged: nullable(whole),
  payment_id: nullable(text),
});
export type SessionRow = ReadBy<typeof sessionRow>;

export const chargeRow = object({
  id: text,
  created: whole,
  session: text,
  capture: text,
  reference: text,
  amount: whole,
  amount_refunded: whole,
  currency: text,
  payment_id: nullable(text),
});
export type ChargeRow = ReadBy<typeof chargeRow>;

export const refundRow = object({
  id: text,
  created: whole,
  charge: text,
  reference: nullable(text),
  amount: whole,
  currency: text,
  reason: nullable(text),
  status: oneOf(['received', 'refunded', 'failed']),
  payment_id: nullable(text),
});
export type RefundRow = ReadBy<typeof refundRow>;

export const disputeRow = object({
  id: text,
  created: whole,
  charge: text,
  amount: whole,
  currency: text,
  reason: text,
  status: oneOf(['warning_needs_response', 'needs_response', 'won', 'lost']),
  payment_id: nullable(text),
});
export type DisputeRow = ReadBy<typeof disputeRow>;

export const movementRow = object({
  id: whole,
  created: whole,
  type: text,
  charge: text,
  modification: text,
  modification_reference: text,
  amount: whole,
  currency: text,
  commission: whole,
  markup: whole,
  scheme_fees: whole,
  interchange: whole,
});
export type MovementRow = ReadBy<typeof movementRow>;

export const balanceMovementRow = object({
  id: text,
  created: whole,
  type: text,
  name: text,
  amount: whole,
  currency: text,
});
export type BalanceMovementRow = ReadBy<typeof balanceMovementRow>;

export const eventRow = object({ id: text, created: whole, type: text, item: text });
export type EventRow = ReadBy<typeof eventRow>;
