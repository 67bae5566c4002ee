import {
  anything,
  atLeast,
  isRecord,
  listOf,
  name,
  object,
  oneOf,
  optional,
  ShapeError,
  text,
  textRecord,
} from '../platform/shape.ts';
import { invalid, notAllowed } from './failure.ts';
import { isCurrency } from './money.ts';
import type { Provider } from './provider.ts';

const openSeconds = { usual: 3600, most: 24 * 3600 };
const referenceLengthMax = 80;

export const amountReader = object({ value: atLeast(1), currency: text });

const sessionBody = object({
  merchantAccount: optional(text),
  amount: optional(amountReader),
  reference: optional(text),
  returnUrl: optional(text),
  expiresAt: optional(text),
  countryCode: optional(text),
  shopperLocale: optional(text),
  shopperIP: optional(text),
  shopperReference: optional(name),
  shopperInteraction: optional(text),
  channel: optional(oneOf(['iOS', 'Android', 'Web'])),
  mode: optional(oneOf(['embedded', 'hosted'])),
  captureDelayHours: optional(atLeast(0)),
  merchantOrderReference: optional(text),
  metadata: optional(textRecord),
  lineItems: optional(listOf(anything)),
  allowedPaymentMethods: optional(listOf(text)),
  applicationInfo: optional(anything),
});

export type SessionInput = {
  asked: string;
  reference: string;
  amount: number;
  currency: string;
  returnUrl: string;
  expiresAt: number;
  locale: string;
  item: string;
  isHosted: boolean;
};

/** Throws the provider's error when a parameter of the session is invalid. */
export function readSession(provider: Provider, body: unknown): SessionInput {
  const sent = sessionBody(body, 'session');
  checkAccount(provider, sent.merchantAccount);
  const amount = checkAmount(sent.amount);
  const reference = checkReference(sent.reference);
  const { returnUrl } = sent;
  if (returnUrl === undefined) throw missing('returnUrl');
  if (!/^https?:$/.test(URL.parse(returnUrl)?.protocol ?? '')) {
    throw invalid('128', 'Invalid return URL');
  }
  return {
    asked: JSON.stringify(sent),
    reference,
    amount: amount.value,
    currency: amount.currency,
    returnUrl,
    expiresAt: expiryOf(provider, sent.expiresAt),
    locale: sent.shopperLocale ?? 'en-US',
    item: itemIn(sent.lineItems) ?? reference,
    isHosted: sent.mode === 'hosted',
  };
}

export function checkAccount({ settings }: Provider, account: string | undefined): void {
  if (account === undefined) throw missing('merchantAccount');
  if (account !== settings.merchantAccount) {
    throw notAllowed(403, '901', 'Invalid Merchant Account');
  }
}

export function checkAmount(amount: { value: number; currency: string } | undefined) {
  if (amount === undefined) throw missing('amount');
  if (!isCurrency(amount.currency)) throw invalid('138', 'Unsupported currency specified');
  return amount;
}

export function checkReference(reference: string | undefined): string {
  if (reference === undefined || reference === '') throw missing('reference');
  if (reference.length > referenceLengthMax) throw invalid('144', 'Reference is too long');
  return reference;
}

function missing(field: string) {
  return invalid('130', `Required field '${field}' is not provided.`);
}

function expiryOf({ clock }: Provider, sent: string | undefined): number {
  const now = clock.nowSeconds();
  if (sent === undefined) return now + openSeconds.usual;
  const at = Math.floor(Date.parse(sent) / 1000);
  if (Number.isNaN(at)) throw new ShapeError('expiresAt is no time');
  if (at <= now || at > now + openSeconds.most) {
    throw invalid('14_030', 'The expiry date must be within 24 hours from now');
  }
  return at;
}

function itemIn(items: unknown[] | undefined): string | undefined {
  const [first] = items ?? [];
  return isRecord(first) && typeof first.description === 'string' ? first.description : undefined;
}
