/**
 * What auditors read of money, whatever provider it is of: the same names, small letters, small
 * units. Each provider adds what else it knows.
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
