import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ShownStatus } from '@pointgate/contract/orders.ts';

/** Something a caller was told for certain, so that from then on it has to be true. */
type Acknowledgement =
  /** This intent is this order, at this price. */
  | {
      what: 'placed';
      accountId: string;
      clientOrderId: string;
      paymentId: string;
      amountMinor: string;
      currency: string;
    }
  /** The order can be paid on this page of the provider's. */
  | { what: 'opened'; paymentId: string; sessionId: string }
  /** The provider took the player's money. */
  | { what: 'charged'; paymentId: string }
  /** The order was paid from the balance. */
  | { what: 'spent'; paymentId: string; points: string }
  /** The order was not paid from the balance, which held too little. */
  | { what: 'unaffordable'; paymentId: string }
  /** This much of the order's price goes back. */
  | { what: 'refunded'; paymentId: string; refundId: string }
  /** The order is what the player saw. */
  | { what: 'shown'; paymentId: string; shown: ShownStatus };

export interface AcknowledgementLog {
  note(acknowledgement: Acknowledgement): void;
  /** How many there are of each kind. */
  counts(): Record<string, number>;
  /** A line of JSON each: for the auditor, and for whoever has to find out what went wrong. */
  file: string;
}

const file = join(import.meta.dirname, '../.pointgate/drill/acknowledgements.jsonl');

export function openAcknowledgements(): AcknowledgementLog {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const counts: Record<string, number> = {};
  return {
    note: (acknowledgement) => {
      counts[acknowledgement.what] = (counts[acknowledgement.what] ?? 0) + 1;
      appendFileSync(file, `${JSON.stringify({ at: new Date(), ...acknowledgement })}\n`);
    },
    counts: () => counts,
    file,
  };
}
