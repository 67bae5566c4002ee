import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** How long a link to customer service works. */
export const supportLinkSeconds = 300;

export const supportLink = endpoint({
  method: 'GET',
  path: '/api/crm/url/get',
  summary: 'A signed, short-lived link to customer service, with the order it is asked from',
  // Without an order the player asks about something else.
  address: z.strictObject({ paymentId: z.optional(z.uuid()) }),
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ url: z.url(), expiresAt: z.iso.datetime() }),
  refusals: ['CustomerServiceMissing', 'PaymentIdWrong'],
});
