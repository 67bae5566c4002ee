import { z } from 'zod';
import { JoinedReference } from '../references.ts';
import { misshapen, oneOf } from '../replies.ts';
import { causeOf, isKeyRefused, type PaypalClient } from './client.ts';
import { Id } from './ids.ts';
import { WireMoney } from './money.ts';

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
    status: oneOf(refundStates),
    amount: WireMoney,
    custom_id: z.string().optional(),
    create_time: z.string().default(''),
    links: Links,
  })
  .transform(({ status: state, links, ...refund }, context) => {
    const captureId = links
      .filter(({ rel }) => rel === 'up')
      .map(({ href }) => upwards.exec(new URL(href).pathname)?.[1])
      .at(0);
    if (captureId !== undefined) return { ...refund, captureId, state };
    context.addIssue({ code: 'custom', message: 'a refund of nothing' });
    return z.NEVER;
  });

export const Order = z.object({
  id: Id,
  status: z.string(),
  purchase_units: z.tuple([
    z.object({
      amount: WireMoney,
      custom_id: JoinedReference,
      payments: z
        .object({ captures: z.array(Capture).default([]), refunds: z.array(Refund).default([]) })
        .default({ captures: [], refunds: [] }),
    }),
  ]),
  links: Links,
});
export type Order = z.output<typeof Order>;

/** Reads an order; an expired order is `not_found`. */
export async function readOrder(client: PaypalClient, id: string) {
  const reply = await client.ask(({ orders }) => orders.getOrder({ id }));
  if (reply.outcome === 'refused' && reply.status === 404) {
    return { outcome: 'not_found' } as const;
  }
  if (reply.outcome !== 'ok') {
    return {
      outcome: 'unknown',
      cause: causeOf(reply),
      isKeyRefused: isKeyRefused(reply),
    } as const;
  }
  const order = Order.safeParse(reply.value);
  if (!order.success) return misshapen('order', order.error);
  if (order.data.id !== id) return { outcome: 'unknown', cause: 'another order' } as const;
  return { outcome: 'ok', value: order.data } as const;
}
