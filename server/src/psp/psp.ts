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
    }
  | { outcome: 'not_found' }
  | { outcome: 'unknown'; cause: string };

export type CloseResult = { outcome: 'closed' | 'already_paid' | 'not_found' | 'unknown' };

export type ParsedWebhook =
  | { ok: true; eventId: string; subject: WebhookSubject | null }
  | { ok: false; reason: 'bad_signature' | 'stale' | 'malformed' };

/** Which payment an event is about; `null` for events we do not act on. */
interface WebhookSubject {
  pspRef: string;
  reference: PaymentReference;
}

/** A payment provider. A status it does not know is `unknown`, never failed. */
export interface PaymentProvider {
  readonly name: string;
  /** How long a payment page may stay open, at least and at most. */
  readonly openSeconds: { min: number; max: number };
  createPayment(request: PaymentRequest): Promise<CreateResult>;
  queryPayment(pspRef: string): Promise<PaymentTruth>;
  closePayment(pspRef: string): Promise<CloseResult>;
  /** Verifies the signature over the raw bytes, then reads them. */
  parseWebhook(raw: { body: Buffer; signature: string }): ParsedWebhook;
}
