import { invalid } from './failure.ts';
import type { Form } from './form.ts';
import { displayAmount, isCurrency, leastAmountOf } from './money.ts';
import {
  group,
  groups,
  metadata,
  optionalText,
  optionalUrl,
  optionalWhole,
  optionalWord,
  type Params,
  refuseUnknown,
  requiredGroup,
  requiredText,
  requiredWhole,
} from './params.ts';
import type { LineItem } from './rows.ts';

export type SessionInput = {
  expiresAt: number;
  amountTotal: number;
  currency: string;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  intentMetadata: Record<string, string>;
  lineItems: LineItem[];
  successUrl: string;
  cancelUrl: string | null;
  locale: string | null;
  /** Empty if the dashboard settings decide. */
  allowedTypes: string[];
  customerEmail: string | null;
};

/** Reads the parameters of a session; throws the provider's error if one is invalid. */
export function readSessionParams(form: Form, nowSeconds: number): SessionInput {
  const params: Params = { form, at: '' };
  refuseUnknown(params, knownParams);
  if (optionalWord(params, 'mode', ['payment', 'setup', 'subscription']) !== 'payment') {
    throw invalid('The sandbox sells one-off payments only: mode must be payment.', 'mode');
  }
  optionalWord(params, 'ui_mode', ['hosted_page']);

  const lineItems = groups(params, 'line_items').map(readLineItem);
  const [first] = lineItems;
  if (first === undefined) {
    throw invalid('Missing required param: line_items.', 'line_items', 'parameter_missing');
  }
  if (lineItems.some(({ currency }) => currency !== first.currency)) {
    throw invalid('All line items must have the same currency.', 'line_items');
  }
  const amountTotal = lineItems.reduce((sum, item) => sum + item.unitAmount * item.quantity, 0);
  if (amountTotal <= 0) throw invalid('The total must be above zero.', 'line_items');
  if (amountTotal < leastAmountOf(first.currency)) {
    const least = displayAmount(leastAmountOf(first.currency), first.currency);
    const message = `The Checkout Session's total amount must be at least ${least}.`;
    throw invalid(message, 'line_items', 'amount_too_small');
  }
  if (amountTotal > 99_999_999) {
    throw invalid('Amount must be no more than 99999999.', 'line_items', 'amount_too_large');
  }

  const intentData = group(params, 'payment_intent_data');
  return {
    expiresAt: readExpiry(params, nowSeconds),
    amountTotal,
    currency: first.currency,
    clientReferenceId: optionalText(params, 'client_reference_id', 200),
    metadata: metadata(params, 'metadata'),
    intentMetadata: intentData === null ? {} : metadata(intentData, 'metadata'),
    lineItems,
    successUrl: readSuccessUrl(params),
    cancelUrl: optionalUrl(params, 'cancel_url'),
    locale: optionalWord(params, 'locale', locales),
    allowedTypes: readAllowedTypes(form),
    customerEmail: optionalText(params, 'customer_email', 800),
  };
}

function readAllowedTypes({ allowed_payment_method_types: list }: Form): string[] {
  if (list === undefined) return [];
  const types = typeof list === 'string' ? [list] : Object.values(list).map(String);
  const [other] = types.filter((type) => type !== 'card');
  if (other === undefined) return types;
  throw invalid(`The sandbox takes cards only, not ${other}.`, 'allowed_payment_method_types');
}

function readSuccessUrl(params: Params): string {
  const raw = requiredText(params, 'success_url', 5000);
  return optionalUrl(params, 'success_url') ?? raw;
}

function readLineItem(item: Params): LineItem {
  refuseUnknown(item, ['price_data', 'quantity', 'adjustable_quantity', 'metadata', 'tax_rates']);
  const price = requiredGroup(item, 'price_data');
  refuseUnknown(price, ['currency', 'unit_amount', 'product_data', 'tax_behavior']);
  const product = requiredGroup(price, 'product_data');
  refuseUnknown(product, ['name', 'description', 'images', 'metadata', 'tax_code', 'unit_label']);
  const currency = requiredText(price, 'currency', 3).toLowerCase();
  if (!isCurrency(currency)) {
    throw invalid(`Invalid currency: ${currency}.`, `${price.at}[currency]`);
  }
  const unitAmount = requiredWhole(price, 'unit_amount');
  if (unitAmount < 0) {
    throw invalid('Invalid non-negative integer', `${price.at}[unit_amount]`);
  }
  const quantity = optionalWhole(item, 'quantity') ?? 1;
  if (quantity < 1) throw invalid('Quantity must be at least 1', `${item.at}[quantity]`);
  return {
    name: requiredText(product, 'name', 250),
    description: optionalText(product, 'description', 1000),
    currency,
    unitAmount,
    quantity,
  };
}

function readExpiry(params: Params, nowSeconds: number): number {
  const expiresAt = optionalWhole(params, 'expires_at');
  if (expiresAt === null) return nowSeconds + 24 * 3600;
  const secondsLeft = expiresAt - nowSeconds;
  // Tolerates the time that passed while the request was in transit.
  if (secondsLeft < 30 * 60 - 10) {
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes after Checkout Session creation.',
      'expires_at',
    );
  }
  if (secondsLeft > 24 * 3600 + 10) {
    throw invalid(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    );
  }
  return expiresAt;
}

const knownParams = [
  'adaptive_pricing',
  'allowed_payment_method_types',
  'automatic_tax',
  'billing_address_collection',
  'branding_settings',
  'cancel_url',
  'client_reference_id',
  'custom_text',
  'customer_creation',
  'customer_email',
  'expand',
  'expires_at',
  'integration_identifier',
  'invoice_creation',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'phone_number_collection',
  'submit_type',
  'success_url',
  'ui_mode',
];

const locales = [
  ...['auto', 'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr'],
  ...['fr-CA', 'hi-IN', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl'],
  ...['pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW'],
];
