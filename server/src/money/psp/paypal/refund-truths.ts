import { z } from 'zod';
import type { RefundTruth } from '../psp.ts';
import type { Known } from '../replies.ts';
import type { Order } from './shapes.ts';

const Ours = z.uuid();

/** Every refund of an order, made by the shop or elsewhere. */
export function refundTruthsOf(order: Order): Known<RefundTruth[]> {
  const [{ payments }] = order.purchase_units;
  const captureIds = new Set(payments.captures.map(({ id }) => id));
  if (payments.refunds.some(({ captureId }) => !captureIds.has(captureId))) {
    return { outcome: 'unknown', cause: 'a refund of another capture' };
  }
  const known = new Set<string>();
  // Oldest first: of two refunds with the same refund id the first is ours, and the second must be
  // listed separately.
  const value = payments.refunds
    .toSorted((left, right) => left.create_time.localeCompare(right.create_time))
    .map((refund) => {
      const ours = Ours.safeParse(refund.custom_id);
      const isOurs = ours.success && !known.has(ours.data);
      const refundId = isOurs ? ours.data : refund.id;
      known.add(refundId);
      const { captureId, amount: money, state } = refund;
      return { refundId, isOurs, captureId, money, state };
    });
  return { outcome: 'ok', value };
}
