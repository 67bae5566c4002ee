import { nullable, object, oneOf, type ReadBy, text, whole } from '../platform/shape.ts';

export const orderRow = object({
  id: text,
  created: whole,
  updated: whole,
  expires_at: whole,
  status: oneOf(['PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED', 'EXPIRED']),
  amount: whole,
  currency: text,
  reference_id: text,
  custom_id: nullable(text),
  invoice_id: nullable(text),
  description: nullable(text),
  return_url: text,
  cancel_url: text,
  locale: nullable(text),
  instrument: nullable(oneOf(['good', 'declined', 'pending'])),
  taken_amount: nullable(whole),
  taken_currency: nullable(text),
});
export type OrderRow = ReadBy<typeof orderRow>;

export const captureRow = object({
  id: text,
  created: whole,
  updated: whole,
  order_id: text,
  amount: whole,
  amount_refunded: whole,
  currency: text,
  status: oneOf(['COMPLETED', 'PENDING', 'DECLINED', 'PARTIALLY_REFUNDED', 'REFUNDED']),
  custom_id: nullable(text),
  invoice_id: nullable(text),
  payment_id: nullable(text),
});
export type CaptureRow = ReadBy<typeof captureRow>;

export const refundRow = object({
  id: text,
  created: whole,
  updated: whole,
  capture: text,
  amount: whole,
  currency: text,
  status: oneOf(['COMPLETED', 'PENDING', 'FAILED']),
  custom_id: nullable(text),
  invoice_id: nullable(text),
  note: nullable(text),
  payment_id: nullable(text),
});
export type RefundRow = ReadBy<typeof refundRow>;

export const disputeRow = object({
  id: text,
  created: whole,
  updated: whole,
  capture: text,
  amount: whole,
  currency: text,
  reason: text,
  status: oneOf(['OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'RESOLVED']),
  life_cycle: oneOf(['INQUIRY', 'CHARGEBACK']),
  outcome: nullable(text),
  payment_id: nullable(text),
});
export type DisputeRow = ReadBy<typeof disputeRow>;

export const movementRow = object({
  id: text,
  created: whole,
  event_code: text,
  amount: whole,
  fee: whole,
  currency: text,
  reference: nullable(text),
  custom_field: nullable(text),
  invoice_id: nullable(text),
});
export type MovementRow = ReadBy<typeof movementRow>;

export const eventRow = object({ id: text, created: whole, type: text, payload: text });
export type EventRow = ReadBy<typeof eventRow>;
