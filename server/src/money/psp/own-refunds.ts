import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from './psp.ts';
import { isSameMoney } from './replies.ts';

// For providers that list the refunds of a payment and forget an idempotency key after some time.

/** A refund as a provider lists it; `ourId` is the refund id that the shop sent with it. */
type ListedRefund = Pick<RefundTruth, 'captureId' | 'money' | 'state'> & {
  id: string;
  ourId: string | undefined;
};

/**
 * The refunds by our refund id, or by the provider's. Of two refunds with the same refund id the first is
 * ours, and the second must be listed separately.
 */
export function refundTruths(oldestFirst: readonly ListedRefund[]): RefundTruth[] {
  const known = new Set<string>();
  return oldestFirst.map(({ id, ourId, captureId, money, state }) => {
    const isOurs = ourId !== undefined && !known.has(ourId);
    const refundId = isOurs ? ourId : id;
    known.add(refundId);
    return { refundId, isOurs, captureId, money, state };
  });
}

/**
 * Refunds once per `refundId`: existing refunds are searched for the refund id before the call and after
 * every unclear answer.
 */
export async function refundOnce(
  request: RefundRequest,
  calls: {
    query: (query: RefundQuery) => Promise<Answer<{ refund: RefundTruth }>>;
    create: (request: RefundRequest) => Promise<RefundResult>;
  },
): Promise<RefundResult> {
  const earlier = resultOf(request, await calls.query(request));
  if (earlier !== undefined) return earlier;
  const result = await calls.create(request);
  if (result.outcome !== 'unknown') return result;
  const made = resultOf(request, await calls.query(request));
  return made?.outcome === 'accepted' ? made : result;
}

/** The result of a refund that exists; `undefined` if it does not. */
function resultOf(
  { money }: RefundRequest,
  found: Answer<{ refund: RefundTruth }>,
): RefundResult | undefined {
  if (found.outcome === 'not_found') return undefined;
  if (found.outcome === 'unknown') return found;
  return isSameMoney(found.refund.money, money)
    ? { outcome: 'accepted', state: found.refund.state }
    : { outcome: 'unknown', cause: 'this refund id belongs to another amount' };
}
