import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { readDecimalAmount } from '../decimal-amount.ts';
import type { PaymentReference } from '../psp.ts';

/** PayPal's ids of orders, captures and refunds. They are put into URL paths, so the form is strict. */
export const Id = z.string().regex(/^[A-Z0-9]{10,24}$/);

/** One text, because a capture keeps only one custom field; the payer never sees it. */
export function customIdOf({ accountId, paymentId, attemptId }: PaymentReference): string {
  return `${accountId}.${paymentId}.${attemptId}`;
}

export const Reference = z
  .string()
  .transform((customId) => customId.split('.'))
  .pipe(z.tuple([z.uuid(), z.uuid(), z.uuid()]))
  .transform(([accountId, paymentId, attemptId]) => ({ accountId, paymentId, attemptId }));

/** An amount that is exact in the shop's minor units; anything else fails to parse. */
export const WireMoney = z
  .object({ currency_code: Currency, value: z.string() })
  .transform(({ currency_code: currency, value }, context): Money => {
    const amountMinor = readDecimalAmount(value, currency);
    if (amountMinor !== undefined) return { amountMinor, currency };
    context.addIssue({ code: 'custom', message: 'no exact amount' });
    return z.NEVER;
  });

const Links = z.array(z.object({ rel: z.string(), href: z.url() })).default([]);

const upwards = /\/v2\/payments\/captures\/([A-Z0-9]{10,24})$/;

const Capture = z.object({
  id: Id,
  status: z.string(),
  amount: WireMoney,
  create_time: z.string().default(''),
});

const refundStates = {
  COMPLETED: 'done',
  PENDING: 'pending',
  FAILED: 'returned',
  CANCELLED: 'returned',
} as const;

export const Refund = z
  .object({
    id: Id,
    status: z.enum(Object.keys(refundStates) as [keyof typeof refundStates]), // as: keys() forgets its keys
    amount: WireMoney,
    custom_id: z.string().optional(),
    create_time: z.string().default(''),
    links: Links,
  })
  .transform(({ status, links, ...refund }, context) => {
    const captureId = links
      .filter(({ rel }) => rel === 'up')
      .map(({ href }) => upwards.exec(new URL(href).pathname)?.[1])
      .at(0);
    if (captureId !== undefined) return { ...refund, captureId, state: refundStates[status] };
    context.addIssue({ code: 'custom', message: 'a refund of nothing' });
    return z.NEVER;
  });

export const Order = z.object({
  id: Id,
  status: z.string(),
  purchase_units: z.tuple([
    z.object({
      amount: WireMoney,
      custom_id: Reference,
      payments: z
        .object({ captures: z.array(Capture).default([]), refunds: z.array(Refund).default([]) })
        .default({ captures: [], refunds: [] }),
    }),
  ]),
  links: Links,
});
export type Order = z.output<typeof Order>;

export function isSameReference(left: PaymentReference, right: PaymentReference): boolean {
  return customIdOf(left) === customIdOf(right);
}
