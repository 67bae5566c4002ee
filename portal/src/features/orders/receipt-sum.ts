import type { OrderDetail, OrderRefund } from '@pointgate/contract/orders.ts';

interface ReceiptSum {
  /** Completed refunds, which are subtracted. */
  refunds: OrderRefund[];
  /** The sum of surplus payments, such as a duplicate payment, that were refunded. */
  besideMinor: bigint;
  /** The sum of pending refunds, which are still part of the total. */
  pendingMinor: bigint;
  totalMinor: bigint;
}

/** The lines of a receipt: price plus surplus payments minus refunds is the total. */
export function sumOf({ amountMinor, currency, refundedMinor, refunds }: OrderDetail): ReceiptSum {
  // A payment in another currency never counted for the order, so its refund does not either.
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
