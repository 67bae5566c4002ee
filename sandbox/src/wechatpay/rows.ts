import { nullable, object, oneOf, type ReadBy, text, whole } from '../platform/shape.ts';

export const scenes = ['jsapi', 'h5', 'native'] as const;
export type Scene = (typeof scenes)[number];

export const orderRow = object({
  out_trade_no: text,
  created: whole,
  scene: oneOf(scenes),
  asked: text,
  appid: text,
  description: text,
  attach: nullable(text),
  notify_url: text,
  openid: nullable(text),
  total: whole,
  currency: text,
  time_expire: whole,
  prepay_id: text,
  code: nullable(text),
  opened: nullable(whole),
  state: oneOf(['NOTPAY', 'SUCCESS', 'CLOSED']),
  payment_id: nullable(text),
});
export type OrderRow = ReadBy<typeof orderRow>;

export const chargeRow = object({
  id: text,
  created: whole,
  out_trade_no: text,
  openid: text,
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
  out_refund_no: text,
  asked: nullable(text),
  amount: whole,
  currency: text,
  reason: nullable(text),
  notify_url: nullable(text),
  status: oneOf(['PROCESSING', 'SUCCESS', 'ABNORMAL', 'CLOSED']),
  settled: nullable(whole),
  payment_id: nullable(text),
});
export type RefundRow = ReadBy<typeof refundRow>;

export const eventRow = object({
  id: text,
  created: whole,
  type: text,
  original_type: text,
  summary: text,
  url: text,
  resource: text,
});
export type EventRow = ReadBy<typeof eventRow>;
