/**
 * The fields that auditors read of every provider's records: common names, lower-case currencies
 * and amounts in the smallest unit. Each provider adds its own fields.
 */
export function audited<Kind extends 'charge' | 'refund' | 'dispute'>(
  object: Kind,
  row: {
    id: string;
    created: number;
    amount: number;
    currency: string;
    payment_id: string | null;
  },
) {
  const { id, created, amount, currency, payment_id: paymentId } = row;
  return { id, object, created, amount, currency: currency.toLowerCase(), paymentId };
}
