import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode, Money } from '@pointgate/contract/money.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';

/** Ours, carried through the provider and back, so that its messages find their order. */
export interface PaymentReference {
  accountId: string;
  paymentId: string;
  attemptId: string;
}

/** All of it is the same when the request is repeated. */
export interface PaymentRequest {
  /** `attemptId` is the idempotency key: the same request again is the same payment. */
  reference: PaymentReference;
  money: Money;
  description: string;
  returnUrl: string;
  expiresAt: Date;
  locale: Locale;
  payer: Payer;
}

/** Where the payer is: at a desktop, on a phone, or inside WeChat. */
export type PaymentScene = 'desktop' | 'mobile' | 'wechat';

export interface Payer {
  scene: PaymentScene;
  /** Some providers want to know where a payment comes from. */
  clientIp: string;
  /** Who this is to WeChat, for the application that the site is known by there. */
  openId: string | null;
}

/** A payment that was made at the provider. */
export interface Payment {
  pspRef: string;
  reference: PaymentReference;
  /** What was asked for. */
  money: Money;
}

/** The provider does not take the key that the shop signs with: no payment works until that is changed. */
interface Refused {
  isKeyRefused?: boolean;
}

/**
 * `rejected` certainly made nothing; `unknown` may have made a payment and is asked again. An action may
 * lead nowhere after a while, and the same request again gives another one for the same payment. One
 * that was made without a call (`wasAsked` is false) says nothing about the provider.
 */
export type CreateResult =
  | {
      outcome: 'created';
      pspRef: string;
      action: PaymentAction;
      actionEndsAt?: Date | undefined;
      wasAsked?: boolean;
    }
  | ({ outcome: 'rejected'; code: string } & Refused)
  | ({ outcome: 'unknown'; cause: string } & Refused);

/**
 * What a provider says when asked. Captures are the only proof of money. `approved` is a payer who
 * said yes where the money still has to be taken by us.
 */
export type PaymentTruth =
  | {
      outcome: 'ok';
      pspRef: string;
      reference: PaymentReference;
      status: 'open' | 'approved' | 'complete' | 'closed';
      captures: CaptureTruth[];
      /** All that the provider tells of with the payment; of others it is asked one by one. */
      refunds: RefundTruth[];
      disputes: DisputeTruth[];
    }
  | { outcome: 'not_found' }
  | ({ outcome: 'unknown'; cause: string } & Refused);

interface CaptureTruth {
  captureId: string;
  money: Money;
}

/**
 * What became of a refund, as far as it is known. What `failed` may still be seen to by somebody at
 * the provider; `returned` is the last word, of what never left or came back weeks after it was done.
 */
export interface RefundTruth {
  /** Ours, or the provider's own for one that was made there and not here. */
  refundId: string;
  isOurs: boolean;
  captureId: string;
  money: Money;
  state: 'pending' | 'failed' | 'done' | 'returned';
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

/** Which refund is asked about: ours, or by the provider's own id one that was made elsewhere. */
export interface RefundQuery {
  refundId: string;
  payment: Payment;
  captureId: string;
  /** Of ours what it was over: another amount is another refund. Nobody knows it of the others. */
  money: Money | null;
}

export interface RefundRequest extends RefundQuery {
  /** The idempotency key: the same request again is the same refund. */
  refundId: string;
  money: Money;
  reason: 'duplicate' | 'fraud' | 'other';
}

/** `rejected` certainly moved nothing; `unknown` may have and is asked again with the same key. */
export type RefundResult =
  | { outcome: 'accepted'; state: RefundTruth['state'] }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; cause: string };

/**
 * What a line of the provider's own books is. Of a payment there are captures, refunds and disputes, which
 * are held against our own. All others move the balance besides: what the provider takes for a payment or
 * for everything, and for a dispute; what goes to the bank or comes back from it; what is changed from the
 * payer's currency into that of the books; and whatever else. `other` moves nothing that is ours.
 */
export type LineKind =
  | 'capture'
  | 'refund'
  | 'dispute'
  | 'fee'
  | 'dispute_fee'
  | 'payout'
  | 'exchange'
  | 'adjustment'
  | 'other';

/** A line of the provider's own books. */
export interface SettlementLine {
  lineId: string;
  kind: LineKind;
  /** The capture, refund or dispute it is about, by the id that a query gives it. */
  subjectId: string;
  captureId: string | null;
  /**
   * Signed: what left us is negative. Of a payment without fees, and as the payer sees it where that is
   * told; all else in whatever currency the books are kept in, also one that we sell nothing in.
   */
  money: { amountMinor: bigint; currency: string };
  at: Date;
}

export type Settlement =
  | { outcome: 'ok'; lines: SettlementLine[] }
  /** The provider is still writing it. */
  | { outcome: 'not_ready'; reportId: string }
  | { outcome: 'unknown'; cause: string };

export type CloseResult = { outcome: 'closed' | 'already_paid' | 'not_found' | 'unknown' };

/** A message of a provider as it came in. */
export interface RawWebhook {
  body: Buffer;
  /** Those among `signedHeaders` that were sent. */
  headers: Readonly<Record<string, string>>;
  receivedAt: Date;
}

export type ParsedWebhook =
  | { ok: true; events: WebhookEvent[] }
  | {
      ok: false;
      /** A `probe` is forged by the provider itself, to see whether we look. */
      reason: 'bad_signature' | 'stale' | 'probe' | 'malformed' | 'foreign_account';
    }
  /** What is needed to judge it cannot be had now; the provider will send it again. */
  | { ok: false; reason: 'unverifiable' };

interface WebhookEvent {
  /** The same for each time it is sent. */
  eventId: string;
  /** `null` for events we do not act on. */
  subject: WebhookSubject | null;
}

/**
 * Which payment an event is about. What happens to a capture later names only the capture. A refund is
 * named by providers that have to be asked for each by itself.
 */
export type WebhookSubject = (
  | { pspRef: string; reference: PaymentReference }
  | { captureId: string }
) & {
  refundId?: string | undefined;
  /** What the event itself proves, from a provider that cannot be asked. */
  told?: Told | undefined;
};

export interface Told {
  isClosed: boolean;
  captures: CaptureTruth[];
  refunds: RefundTruth[];
  disputes: DisputeTruth[];
}

/** What a provider wants to hear in answer to a message. */
interface WebhookAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** What can be known of a provider without its keys. */
export interface Capabilities {
  /** Its smallest unit of each currency it takes, as decimals, and its limits in ours. */
  currencies: Readonly<Partial<Record<CurrencyCode, CurrencyRule>>>;
  /** Where a payer can be to pay with it. */
  scenes: readonly PaymentScene[];
  needsOpenId: boolean;
  /** Who takes the money after the payer has agreed. */
  captures: 'by_itself' | 'by_us';
  partialRefunds: boolean;
  disputes: boolean;
  /** How long a payment may stay open, at least and at most. */
  openSeconds: { min: number; max: number };
}

interface CurrencyRule {
  decimals: number;
  minMinor?: bigint;
  maxMinor?: bigint;
}

/** Whether the answer is known, and what it is. */
export type Answer<Value> =
  | ({ outcome: 'ok' } & Value)
  | { outcome: 'not_found' }
  | ({ outcome: 'unknown'; cause: string } & Refused);

export type ProviderName = 'stripe' | 'paypal' | 'wechatpay' | 'alipay' | 'adyen';

/**
 * A payment provider, as one contract with it reaches it. A status it does not know is `unknown`, never
 * failed.
 */
export interface PaymentProvider {
  /** The contract's. Attempts, messages and settlements are kept under it: it never changes. */
  readonly name: string;
  /** Whom the contract is with. */
  readonly provider: ProviderName;
  readonly capabilities: Capabilities;
  /** The application of WeChat whose open ids it takes. Nobody else's are known to it. */
  readonly openIdApp?: string | undefined;
  /** The headers that a message is judged by, in lower case. */
  readonly signedHeaders: readonly string[];
  readonly webhookAnswers: { received: WebhookAnswer; refused: WebhookAnswer };
  createPayment(request: PaymentRequest): Promise<CreateResult>;
  queryPayment(payment: Payment): Promise<PaymentTruth>;
  /** Takes what the payer agreed to. Only where the provider leaves that to us. */
  capture?(payment: Payment): Promise<PaymentTruth>;
  closePayment(payment: Payment): Promise<CloseResult>;
  /** Whose payment a capture belongs to. */
  findCapture(captureId: string): Promise<Answer<{ reference: PaymentReference }>>;
  refund(request: RefundRequest): Promise<RefundResult>;
  queryRefund(query: RefundQuery): Promise<Answer<{ refund: RefundTruth }>>;
  /** The provider's books between two moments. Asked again with the report it began to write. */
  settlement(period: { from: Date; until: Date; reportId: string | null }): Promise<Settlement>;
  /** Verifies the signature over the raw bytes, then reads them. */
  parseWebhook(raw: RawWebhook): Promise<ParsedWebhook>;
}
