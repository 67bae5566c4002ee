import {
  json,
  listOf,
  nullable,
  object,
  oneOf,
  type ReadBy,
  text,
  textRecord,
  whole,
} from '../platform/shape.ts';

const lineItem = object({
  name: text,
  description: nullable(text),
  currency: text,
  unitAmount: whole,
  quantity: whole,
});
export type LineItem = ReadBy<typeof lineItem>;

export const sessionRow = object({
  id: text,
  created: whole,
  expires_at: whole,
  status: oneOf(['open', 'complete', 'expired']),
  amount_total: whole,
  currency: text,
  client_reference_id: nullable(text),
  metadata: json(textRecord),
  intent_metadata: json(textRecord),
  line_items: json(listOf(lineItem)),
  success_url: text,
  cancel_url: nullable(text),
  locale: nullable(text),
  allowed_types: json(listOf(text)),
  customer_email: nullable(text),
  payment_intent: nullable(text),
});
export type SessionRow = ReadBy<typeof sessionRow>;

export const intentRow = object({
  id: text,
  created: whole,
  amount: whole,
  currency: text,
  status: oneOf(['requires_payment_method', 'succeeded']),
  metadata: json(textRecord),
  last_error: nullable(text),
});
export type IntentRow = ReadBy<typeof intentRow>;

export const chargeRow = object({
  id: text,
  created: whole,
  payment_intent: text,
  amount: whole,
  amount_refunded: whole,
  currency: text,
  metadata: json(textRecord),
  payment_id: nullable(text),
  balance_transaction: nullable(text),
  disputed: whole,
});
export type ChargeRow = ReadBy<typeof chargeRow>;

export const refundRow = object({
  id: text,
  created: whole,
  charge: text,
  payment_intent: text,
  amount: whole,
  currency: text,
  reason: nullable(text),
  metadata: json(textRecord),
  status: oneOf(['pending', 'succeeded', 'failed']),
  failure_reason: nullable(text),
  balance_transaction: nullable(text),
  failure_balance_transaction: nullable(text),
  payment_id: nullable(text),
});
export type RefundRow = ReadBy<typeof refundRow>;

export const disputeRow = object({
  id: text,
  created: whole,
  charge: text,
  payment_intent: text,
  amount: whole,
  currency: text,
  reason: text,
  status: oneOf(['warning_needs_response', 'warning_closed', 'needs_response', 'won', 'lost']),
  payment_id: nullable(text),
});
export type DisputeRow = ReadBy<typeof disputeRow>;

export const balanceRow = object({
  id: text,
  created: whole,
  amount: whole,
  fee: whole,
  currency: text,
  type: text,
  reporting_category: text,
  source: text,
  charge: nullable(text),
  description: nullable(text),
});
export type BalanceRow = ReadBy<typeof balanceRow>;

export const eventRow = object({ id: text, created: whole, type: text, payload: text });
export type EventRow = ReadBy<typeof eventRow>;
