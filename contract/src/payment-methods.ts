import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Currency, type CurrencyCode } from './money.ts';
import { OrderKind, PaymentMethod } from './orders.ts';
import { methodCurrencies } from './payment-method-list.ts';

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

export function canCharge(method: PaymentMethod, currency: CurrencyCode): boolean {
  return methodCurrencies[method].includes(currency);
}
