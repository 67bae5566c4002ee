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
    /** One of the site's currencies; the first one by default. */
    currency: z.optional(Currency),
  }),
  reply: z.strictObject({
    methods: z.array(PaymentMethod),
    /** Methods that are switched off or failing at the moment. */
    methodsOut: z.array(PaymentMethod),
  }),
  refusals: [],
});

const cards = ['CNY', 'EUR', 'HKD', 'JPY', 'KRW', 'THB', 'TWD', 'USD', 'VND'] as const;

/** The currencies in which each method can charge. Points have none. */
export const methodCurrencies: Readonly<Record<PaymentMethod, readonly CurrencyCode[]>> = {
  card: cards,
  // PayPal does not support KRW and VND, and CNY only within China.
  paypal: ['EUR', 'HKD', 'JPY', 'THB', 'TWD', 'USD'],
  wechatpay: ['CNY'],
  alipay: ['CNY'],
  adyen: cards,
  epoint: [],
};

export function canCharge(method: PaymentMethod, currency: CurrencyCode): boolean {
  return methodCurrencies[method].includes(currency);
}
