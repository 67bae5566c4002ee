import { bucketOf, crcOf } from './digest.ts';

/** What an auditor's digest sums up, written with each record. */
export type Mark = { bucket: number; crc: number };

type Money = {
  payment_id: string | null;
  payment_intent: string;
  amount: number;
  currency: string;
};

export function chargeMark({ payment_id, payment_intent, amount, currency }: Money): Mark {
  return mark(payment_id, [payment_intent, amount, currency]);
}

export function refundMark({
  payment_id,
  payment_intent,
  id,
  amount,
  currency,
}: Money & { id: string }): Mark {
  return mark(payment_id, [payment_intent, id, amount, currency]);
}

export function disputeMark({
  payment_id,
  payment_intent,
  id,
  status,
  amount,
  currency,
}: Money & { id: string; status: string }): Mark {
  return mark(payment_id, [payment_intent, id, status, amount, currency]);
}

function mark(paymentId: string | null, rest: readonly (string | number)[]): Mark {
  return { bucket: bucketOf(paymentId), crc: crcOf([paymentId ?? '', ...rest].join('|')) };
}
