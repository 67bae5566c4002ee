import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode, Money } from '@pointgate/contract/money.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';

/** The shop's ids, sent to the provider and returned in its webhooks, so that they find their order. */
export interface PaymentReference {
  accountId: string;
  paymentId: string;
  attemptId: string;
}

/** A retry has to repeat every field unchanged. */
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
  /** Required by some providers. */
  clientIp: string;
  /** The payer's WeChat openid for the application of the site. */
  openId: string | null;
}

/** A payment that exists at the provider. */
export interface Payment {
  pspRef: string;
  reference: PaymentReference;
  /** The requested amount. */
  money: Money;
}

/** The provider refuses the shop's credentials: no payment works until they are changed. */
interface Refused {
  isKeyRefused?: boolean;
}

/**
 * `rejected` certainly created nothing; `unknown` may have created a payment and is retried. An action may
 * expire, and the same request then returns a new action for the same payment. A result made without a
 * call (`wasAsked` is false) says nothing about the health of the provider.
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
 * The answer of a provider to a query. Captures are the only proof of payment. `approved` means that the
 * payer agreed and the shop still has to capture the money.
 */
export type PaymentTruth =
  | {
      outcome: 'ok';
      pspRef: string;
      reference: PaymentReference;
      status: 'open' | 'approved' | 'complete' | 'closed';
      captures: CaptureTruth[];
      /** The refunds that the provider lists with the payment; other providers are queried per refund. */
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
 * The known state of a refund. `failed` may still be completed by the provider's staff; `returned` is final,
 * for money that never left or came back weeks later.
 */
export interface RefundTruth {
  /** Our refund id, or the provider's id for a refund made outside the shop. */
  refundId: string;
  isOurs: boolean;
  captureId: string;
  money: Money;
  state: 'pending' | 'failed' | 'done' | 'returned';
}

/**
 * A chargeback or an inquiry of the payer's bank. From `open` on the money is gone until the dispute is
 * won. No stage is final: a lost dispute may be won on appeal.
 */
export interface DisputeTruth {
  disputeId: string;
  captureId: string;
  money: Money;
  stage: 'warning' | 'open' | 'won' | 'lost';
}

/** Names a refund by our refund id, or by the provider's id if it was made outside the shop. */
export interface RefundQuery {
  refundId: string;
  payment: Payment;
  captureId: string;
  /** The amount of our refund, to tell it from another refund; `null` for refunds made elsewhere. */
  money: Money | null;
}

export interface RefundRequest extends RefundQuery {
  /** The idempotency key: the same request again is the same refund. */
  refundId: string;
  money: Money;
  reason: 'duplicate' | 'fraud' | 'other';
}

/** `rejected` certainly moved no money; `unknown` may have and is retried with the same key. */
export type RefundResult =
  | { outcome: 'accepted'; state: RefundTruth['state'] }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; cause: string };

/**
 * The kind of a settlement line. Captures, refunds and disputes are reconciled with the shop's records. The
 * others also change the balance: fees of payments, accounts and disputes, payouts to the bank and their
 * returns, the exchange from the payer's currency into the settlement currency, and adjustments. `other`
 * moves no money of the shop.
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

/** A line of a provider's settlement. */
export interface SettlementLine {
  lineId: string;
  kind: LineKind;
  /** The id of its capture, refund or dispute, as in a query. */
  subjectId: string;
  captureId: string | null;
  /**
   * Signed: money that left the shop is negative. For a payment the gross amount, in the payer's currency if
   * it is reported; for other lines any currency, even one that the shop does not sell in.
   */
  money: { amountMinor: bigint; currency: string };
  at: Date;
}

export type Settlement =
  | { outcome: 'ok'; lines: SettlementLine[] }
  /** The provider is still creating the report. */
  | { outcome: 'not_ready'; reportId: string }
  | { outcome: 'unknown'; cause: string };

export type CloseResult = { outcome: 'closed' | 'already_paid' | 'not_found' | 'unknown' };

/** A webhook as it was received. */
export interface RawWebhook {
  body: Buffer;
  /** The `signedHeaders` that were sent. */
  headers: Readonly<Record<string, string>>;
  receivedAt: Date;
}

export type ParsedWebhook =
  | { ok: true; events: WebhookEvent[] }
  | {
      ok: false;
      /** A `probe` has a wrong signature on purpose: the provider tests whether signatures are checked. */
      reason: 'bad_signature' | 'stale' | 'probe' | 'malformed' | 'foreign_account';
    }
  /** A key or certificate is not available now; the provider will send the webhook again. */
  | { ok: false; reason: 'unverifiable' };

interface WebhookEvent {
  /** The same in every delivery of the event. */
  eventId: string;
  /** `null` for events that are ignored. */
  subject: WebhookSubject | null;
}

/**
 * The payment that an event is about. Later events name only the capture. Providers that are queried per
 * refund name the refund too.
 */
export type WebhookSubject = (
  | { pspRef: string; reference: PaymentReference }
  | { captureId: string }
) & {
  refundId?: string | undefined;
  /** The facts that the event itself proves, from a provider without queries. */
  told?: WebhookClaims | undefined;
};

export interface WebhookClaims {
  isClosed: boolean;
  captures: CaptureTruth[];
  refunds: RefundTruth[];
  disputes: DisputeTruth[];
}

/** The HTTP answer that a provider expects to a webhook. */
interface WebhookAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** The properties of a provider that are known without credentials. */
export interface Capabilities {
  /** The decimals of each currency at the provider, and its limits in the shop's minor units. */
  currencies: Readonly<Partial<Record<CurrencyCode, CurrencyRule>>>;
  /** The scenes in which the provider can be used. */
  scenes: readonly PaymentScene[];
  needsOpenId: boolean;
  /** Whether the provider captures by itself after the approval, or the shop has to. */
  captures: 'by_itself' | 'by_us';
  partialRefunds: boolean;
  disputes: boolean;
  /** The shortest and the longest time that a payment can stay open. */
  openSeconds: { min: number; max: number };
}

interface CurrencyRule {
  decimals: number;
  minMinor?: bigint;
  maxMinor?: bigint;
}

/** A value, or the reason why it is not known. */
export type Answer<Value> =
  | ({ outcome: 'ok' } & Value)
  | { outcome: 'not_found' }
  | ({ outcome: 'unknown'; cause: string } & Refused);

export type ProviderName = 'stripe' | 'paypal' | 'wechatpay' | 'alipay' | 'adyen';

/**
 * A payment provider under one contract. An unrecognised status is `unknown`, never failed.
 */
export interface PaymentProvider {
  /** The contract's name, stored with attempts, webhooks and settlements: it never changes. */
  readonly name: string;
  /** The provider of the contract. */
  readonly provider: ProviderName;
  readonly capabilities: Capabilities;
  /** The WeChat application whose openids the contract accepts. */
  readonly openIdApp?: string | undefined;
  /** The headers that the signature check needs, in lower case. */
  readonly signedHeaders: readonly string[];
  readonly webhookAnswers: { received: WebhookAnswer; refused: WebhookAnswer };
  createPayment(request: PaymentRequest): Promise<CreateResult>;
  queryPayment(payment: Payment): Promise<PaymentTruth>;
  /** Captures an approved payment. Only for providers that leave the capture to the shop. */
  capture?(payment: Payment): Promise<PaymentTruth>;
  closePayment(payment: Payment): Promise<CloseResult>;
  /** The payment of a capture. */
  findCapture(captureId: string): Promise<Answer<{ reference: PaymentReference }>>;
  refund(request: RefundRequest): Promise<RefundResult>;
  queryRefund(query: RefundQuery): Promise<Answer<{ refund: RefundTruth }>>;
  /** The settlement of a period. A `not_ready` report id is passed to the next call. */
  settlement(period: { from: Date; until: Date; reportId: string | null }): Promise<Settlement>;
  /** Verifies the signature over the raw bytes, then parses them. */
  parseWebhook(raw: RawWebhook): Promise<ParsedWebhook>;
}

/**
 * The merchant accounts at this moment, by name: operators add and change them while the shop runs.
 * A method without one is not offered. `again` reads the database first, for a name that is not
 * among those known so far.
 */
export type Providers = (reading?: 'again') => Promise<ReadonlyMap<string, PaymentProvider>>;
