import type { DisputeTruth, RefundTruth, WebhookClaims, WebhookSubject } from '../psp.ts';
import { isOurId } from '../replies.ts';
import { PspReference, unpacked } from './ids.ts';
import { WireMoney } from './money.ts';
import type { SignedItem } from './signature.ts';

type Meaning =
  | { what: 'capture' }
  /** Authorised money that was never captured counts as a refund made elsewhere. */
  | { what: 'gone' }
  | { what: 'refund'; state: RefundTruth['state'] }
  | { what: 'dispute'; stage: DisputeTruth['stage'] };

const meanings = new Map<string, Meaning>([
  ['AUTHORISATION:true', { what: 'capture' }],
  ['CAPTURE:true', { what: 'capture' }],
  ['CAPTURE_FAILED:true', { what: 'gone' }],
  ['CANCELLATION:true', { what: 'gone' }],
  ['TECHNICAL_CANCEL:true', { what: 'gone' }],
  ['CANCEL_OR_REFUND:true', { what: 'gone' }],
  ['REFUND:true', { what: 'refund', state: 'done' }],
  ['REFUND:false', { what: 'refund', state: 'failed' }],
  ['REFUND_FAILED:true', { what: 'refund', state: 'returned' }],
  ['REFUNDED_REVERSED:true', { what: 'refund', state: 'returned' }],
  ['REQUEST_FOR_INFORMATION:true', { what: 'dispute', stage: 'warning' }],
  ['NOTIFICATION_OF_CHARGEBACK:true', { what: 'dispute', stage: 'warning' }],
  ['CHARGEBACK:true', { what: 'dispute', stage: 'open' }],
  ['CHARGEBACK_REVERSED:true', { what: 'dispute', stage: 'won' }],
  ['PREARBITRATION_WON:true', { what: 'dispute', stage: 'won' }],
  ['SECOND_CHARGEBACK:true', { what: 'dispute', stage: 'lost' }],
  ['PREARBITRATION_LOST:true', { what: 'dispute', stage: 'lost' }],
  ['DISPUTE_DEFENSE_PERIOD_ENDED:true', { what: 'dispute', stage: 'lost' }],
]);

/**
 * The payment that an item is about and what it proves. `null` if it moves no money, or belongs to another
 * application that uses the same merchant account.
 */
export function subjectOf(item: SignedItem): WebhookSubject | null {
  const meaning = meanings.get(`${item.eventCode}:${item.success}`);
  if (meaning === undefined) return null;
  const told = toldBy(item, meaning);
  const reference = unpacked(item.merchantReference);
  // An unreadable item about our money keeps its subject without `told`, so that a person looks at it.
  if (reference !== undefined) return { pspRef: item.merchantReference, reference, told };
  // A refund has its own reference, so only the capture leads to the order.
  const captureId = captureOf(item);
  if (meaning.what !== 'refund' || captureId === undefined) return null;
  return { captureId, told };
}

function toldBy(item: SignedItem, meaning: Meaning): WebhookClaims | undefined {
  const captureId = captureOf(item);
  const money = WireMoney.safeParse(item.amount);
  if (captureId === undefined || !money.success) return undefined;
  const about = { captureId, money: money.data };
  const nothing: WebhookClaims = { isClosed: false, captures: [], refunds: [], disputes: [] };
  const { pspReference } = item;
  switch (meaning.what) {
    case 'capture':
      return { ...nothing, captures: [about] };
    case 'gone': {
      const refund = { refundId: pspReference, isOurs: false, ...about, state: 'done' } as const;
      return { ...nothing, refunds: [refund] };
    }
    case 'refund': {
      const isOurs = isOurId(item.merchantReference);
      const refundId = isOurs ? item.merchantReference : pspReference;
      return { ...nothing, refunds: [{ refundId, isOurs, ...about, state: meaning.state }] };
    }
    case 'dispute':
      return {
        ...nothing,
        disputes: [{ disputeId: pspReference, ...about, stage: meaning.stage }],
      };
  }
}

/** The payment of an item: later events name it as their original. */
function captureOf(item: SignedItem): string | undefined {
  const original = item.eventCode === 'AUTHORISATION' ? item.pspReference : item.originalReference;
  const captureId = PspReference.safeParse(original);
  return captureId.success ? captureId.data : undefined;
}
