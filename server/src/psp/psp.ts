import type { Locale } from '@pointgate/contract/locales.ts';
import type { Money } from '@pointgate/contract/money.ts';

/** Ours, carried through the provider and back, so that its messages find their order. */
export interface PaymentReference {
  accountId: string;
  paymentId: string;
  attemptId: string;
}

export interface PaymentRequest {
  /** `attemptId` is the idempotency key: the same request again is the same payment. */
  reference: PaymentReference;
  money: Money;
  description: string;
  returnUrl: string;
  /** Part of the request, hence the same when it is repeated. */
  expiresAt: Date;
  locale: Locale;
}

/** `rejected` certainly made nothing; `unknown` may have made a payment and is asked again. */
export type CreateResult =
  | { outcome: 'created'; pspRef: string; redirectUrl: string }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; cause: string };

/** What a provider says when asked. Captures are the only proof of money. */
export type PaymentTruth =
  | {
      outcome: 'ok';
      pspRef: string;
      reference: PaymentReference;
      status: 'open' | 'complete' | 'closed';
      captures: { captureId: string; money: Money }[];
      refunds: RefundTruth[];
      disputes: DisputeTruth[];
    }
  | { outcome: 'not_found' }
  | { outcome: 'unknown'; cause: string };

/** What became of a refund, as far as it is known: a bank may send back weeks later what was `done`. */
export interface RefundTruth {
  /** Ours, or the provider's own for one that was made there and not here. */
  refundId: string;
  isOurs: boolean;
  captureId: string;
  money: Money;
  state: 'pending' | 'done' | 'failed';
}

/**
 * A payer's bank wants the money back. From `open` on it is gone until the dispute is won. No stage
 * is the last word: what is lost may be appealed, and won after all.
 */
export interface DisputeTruth {
  disputeId: string;
  captureId: string;
  money: Money;
  stage: 'warning' | 'open' | 'won' | 'lost';
}

export interface RefundRequest {
  /** The idempotency key: the same request again is the same refund. */
  refundId: string;
  reference: PaymentReference;
  captureId: string;
  money: Money;
  reason: 'duplicate' | 'fraud' | 'other';
}

/** `rejected` certainly moved nothing; `unknown` may have and is asked again with the same key. */
export type RefundResult =
  | { outcome: 'accepted'; state: RefundTruth['state'] }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; cause: string };

/** A line of the provider's own books. */
export interface SettlementLine {
  lineId: string;
  kind: 'capture' | 'refund' | 'dispute' | 'other';
  /** The capture, refund or dispute it is about, by the id that a query gives it. */
  subjectId: string;
  captureId: string | null;
  /** Signed: what left us is negative. Without fees, and as the payer sees it where that is told. */
  money: Money;
  at: Date;
}

export type Settlement =
  | { outcome: 'ok'; lines: SettlementLine[] }
  /** The provider is still writing it. */
  | { outcome: 'not_ready'; reportId: string }
  | { outcome: 'unknown'; cause: string };

export type CloseResult = { outcome: 'closed' | 'already_paid' | 'not_found' | 'unknown' };

export type ParsedWebhook =
  | { ok: true; eventId: string; subject: WebhookSubject | null }
  | { ok: false; reason: 'bad_signature' | 'stale' | 'malformed' };

/**
 * Which payment an event is about; `null` for events we do not act on. What happens to a capture
 * later names only the capture.
 */
export type WebhookSubject =
  | { pspRef: string; reference: PaymentReference }
  | { captureId: string };

/** A payment provider. A status it does not know is `unknown`, never failed. */
export interface PaymentProvider {
  readonly name: string;
  /** How long a payment page may stay open, at least and at most. */
  readonly openSeconds: { min: number; max: number };
  createPayment(request: PaymentRequest): Promise<CreateResult>;
  queryPayment(pspRef: string): Promise<PaymentTruth>;
  closePayment(pspRef: string): Promise<CloseResult>;
  /** Whose payment a capture belongs to. */
  findCapture(
    captureId: string,
  ): Promise<
    | { outcome: 'ok'; reference: PaymentReference }
    | { outcome: 'not_found' }
    | { outcome: 'unknown'; cause: string }
  >;
  refund(request: RefundRequest): Promise<RefundResult>;
  /** The provider's books between two moments. Asked again with the report it began to write. */
  settlement(period: { from: Date; until: Date; reportId: string | null }): Promise<Settlement>;
  /** Verifies the signature over the raw bytes, then reads them. */
  parseWebhook(raw: { body: Buffer; signature: string }): ParsedWebhook;
}
