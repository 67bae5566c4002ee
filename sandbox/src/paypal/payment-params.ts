import { isRecord } from '../platform/shape.ts';
import { invalid, unprocessable } from './failure.ts';
import { isSupported, readValue, takesDecimals } from './money.ts';

export type OrderInput = {
  amount: number;
  currency: string;
  referenceId: string;
  customId: string | null;
  invoiceId: string | null;
  description: string | null;
  returnUrl: string;
  cancelUrl: string;
  locale: string | null;
};

/** The parameters of an order; unknown ones are refused, as the provider does. */
export function readOrder(body: unknown): OrderInput {
  const order = recordAt(body, '');
  if (order.intent !== 'CAPTURE') throw invalid('/intent', 'INVALID_PARAMETER_VALUE');
  const units = order.purchase_units;
  if (!Array.isArray(units) || units.length !== 1) {
    throw invalid('/purchase_units', 'MISSING_REQUIRED_PARAMETER');
  }
  const unit = recordAt(units[0], '/purchase_units/0');
  const context = contextOf(order);
  return {
    ...readMoney(unit.amount, '/purchase_units/0/amount'),
    referenceId: textAt(unit, 'reference_id', 256) ?? 'default',
    customId: textAt(unit, 'custom_id', 255),
    invoiceId: textAt(unit, 'invoice_id', 127),
    description: textAt(unit, 'description', 127),
    returnUrl: urlAt(context, 'return_url'),
    cancelUrl: urlAt(context, 'cancel_url'),
    locale: localeAt(context),
  };
}

/** Reads an amount and a currency that the provider accepts. */
export function readMoney(sent: unknown, at: string): { amount: number; currency: string } {
  const { currency_code: currency, value } = recordAt(sent, at);
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw invalid(`${at}/currency_code`, 'INVALID_STRING_LENGTH');
  }
  if (!isSupported(currency)) {
    throw unprocessable(
      'CURRENCY_NOT_SUPPORTED',
      'Currency code is not currently supported.',
      `${at}/currency_code`,
    );
  }
  if (typeof value !== 'string' || !/^\d{1,10}(\.\d+)?$/.test(value)) {
    throw invalid(`${at}/value`, 'INVALID_PARAMETER_SYNTAX', String(value));
  }
  if (!takesDecimals(currency) && value.includes('.')) {
    throw unprocessable(
      'DECIMALS_NOT_SUPPORTED',
      'Currency does not support decimals.',
      `${at}/value`,
    );
  }
  const amount = readValue(value, currency);
  if (amount === undefined) {
    throw unprocessable(
      'DECIMAL_PRECISION',
      'If the currency supports decimals, only two decimal place precision is supported.',
      `${at}/value`,
    );
  }
  if (amount === 0) {
    throw unprocessable(
      'CANNOT_BE_ZERO_OR_NEGATIVE',
      'Must be greater than zero. If the currency supports decimals, only two decimal place precision is supported.',
      `${at}/value`,
    );
  }
  return { amount, currency };
}

/** The text of a field, or null if it is missing. */
export function textAt(
  from: Record<string, unknown>,
  key: string,
  lengthMax: number,
): string | null {
  const value = from[key];
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > lengthMax) {
    throw invalid(`/${key}`, 'INVALID_STRING_LENGTH');
  }
  return value;
}

export function recordAt(value: unknown, at: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(at === '' ? '/' : at, 'MISSING_REQUIRED_PARAMETER');
  return value;
}

function contextOf(order: Record<string, unknown>): Record<string, unknown> {
  const source = recordAt(order.payment_source, '/payment_source');
  const wallet = recordAt(source.paypal, '/payment_source/paypal');
  return recordAt(wallet.experience_context, '/payment_source/paypal/experience_context');
}

function urlAt(context: Record<string, unknown>, key: string): string {
  const value = context[key];
  const protocol = typeof value === 'string' ? URL.parse(value)?.protocol : undefined;
  if (typeof value === 'string' && (protocol === 'http:' || protocol === 'https:')) return value;
  throw invalid(`/payment_source/paypal/experience_context/${key}`, 'INVALID_PARAMETER_SYNTAX');
}

function localeAt(context: Record<string, unknown>): string | null {
  const { locale } = context;
  if (locale === undefined) return null;
  const isLocale =
    typeof locale === 'string' && /^[a-z]{2}(-[A-Z][a-z]{3})?-[A-Z]{2}$/.test(locale);
  if (isLocale) return locale;
  throw invalid(
    '/payment_source/paypal/experience_context/locale',
    'INVALID_PARAMETER_SYNTAX',
    String(locale),
  );
}
