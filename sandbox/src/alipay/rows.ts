import { nullable, object, oneOf, type ReadBy, text, whole } from '../platform/shape.ts';

export const orderRow = object({
  out_trade_no: text,
  created: whole,
  scene: oneOf(['page', 'wap', 'qr']),
  asked: text,
  subject: text,
  passback: nullable(text),
  notify_url: nullable(text),
  return_url: nullable(text),
  quit_url: nullable(text),
  total: whole,
  time_expire: whole,
  trade_no: text,
  token: text,
  code: nullable(text),
  opened: nullable(whole),
  state: oneOf(['WAIT_BUYER_PAY', 'TRADE_SUCCESS', 'TRADE_CLOSED']),
  payment_id: nullable(text),
});
export type OrderRow = ReadBy<typeof orderRow>;

export const chargeRow = object({
  id: text,
  created: whole,
  out_trade_no: text,
  buyer_id: text,
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
  is_asked: whole,
  amount: whole,
  currency: text,
  status: oneOf(['PROCESSING', 'SUCCESS', 'FAILED']),
  settled: nullable(whole),
  payment_id: nullable(text),
});
export type RefundRow = ReadBy<typeof refundRow>;

export const eventRow = object({ id: text, created: whole, type: text, url: text, fields: text });
export type EventRow = ReadBy<typeof eventRow>;
