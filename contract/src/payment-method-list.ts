import type { CurrencyCode } from './money.ts';

const cards = [
  'CNY',
  'EUR',
  'HKD',
  'JPY',
  'KRW',
  'THB',
  'TWD',
  'USD',
  'VND',
] satisfies CurrencyCode[];

/**
 * The payment methods, each with the currencies in which it can charge. Names are stored, so they
 * are never changed or reused.
 */
const list = {
  card: cards,
  // PayPal does not support KRW and VND, and CNY only within China.
  paypal: ['EUR', 'HKD', 'JPY', 'THB', 'TWD', 'USD'],
  wechatpay: ['CNY'],
  alipay: ['CNY'],
  adyen: cards,
  // Paid from the balance, in points.
  epoint: [],
} satisfies Record<string, readonly CurrencyCode[]>;

type Name = keyof typeof list;

export const methodCurrencies: Readonly<Record<Name, readonly CurrencyCode[]>> = list;

// as: the keys of a constant without further fields
export const paymentMethodNames = Object.keys(methodCurrencies) as Name[];
