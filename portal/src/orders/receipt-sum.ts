import type { OrderDetail, OrderRefund } from '@pointgate/contract/orders.ts';

interface ReceiptSum {
  /** Refunds that are through, to be subtracted. */
  refunds: OrderRefund[];
  /** What was paid beside the price, a second payment for one; it has gone back again. */
  besideMinor: bigint;
  /** On its way back and still in the total. */
  pendingMinor: bigint;
  totalMinor: bigint;
}

/** The lines of a receipt: price, and what was paid beside it, less the refunds is the total. */
export function sumOf({ amountMinor, currency, refundedMinor, refunds }: OrderDetail): ReceiptSum {
  // Money in another currency never paid for the order; it came and went beside it.
  const sameUnit = refunds.filter((refund) => refund.currency === currency);
  const done = sameUnit.filter(({ state }) => state === 'done');
  return {
    refunds: done,
    besideMinor: add(done) - refundedMinor,
    pendingMinor: add(sameUnit.filter(({ state }) => state === 'pending')),
    totalMinor: amountMinor - refundedMinor,
  };
}

function add(refunds: readonly OrderRefund[]): bigint {
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
