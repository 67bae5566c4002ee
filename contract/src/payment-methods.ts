import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Currency, type CurrencyCode } from './money.ts';
import { OrderKind, PaymentMethod } from './orders.ts';

export const paymentMethods = endpoint({
  method: 'POST',
  path: '/api/payment/methods',
  summary: 'How the player can pay here and now, the best way first',
  access: 'player',
  body: z.strictObject({
    kind: OrderKind,
    /** One of the site's currencies; its first one where it says nothing. */
    currency: z.optional(Currency),
  }),
  reply: z.strictObject({
    methods: z.array(PaymentMethod),
    /** What is switched off or failing at the moment; it comes back. */
    methodsOut: z.array(PaymentMethod),
  }),
  refusals: [],
});

const cards = ['CNY', 'EUR', 'HKD', 'JPY', 'KRW', 'THB', 'TWD', 'USD', 'VND'] as const;

/** The currencies that each method can be charged in. Points are not charged. */
export const methodCurrencies: Readonly<Record<PaymentMethod, readonly CurrencyCode[]>> = {
  card: cards,
  // Korean won and Vietnamese dong not at all, and yuan only between Chinese.
  paypal: ['EUR', 'HKD', 'JPY', 'THB', 'TWD', 'USD'],
  wechatpay: ['CNY'],
  alipay: ['CNY'],
  adyen: cards,
  epoint: [],
};

export function canCharge(method: PaymentMethod, currency: CurrencyCode): boolean {
  return methodCurrencies[method].includes(currency);
}
