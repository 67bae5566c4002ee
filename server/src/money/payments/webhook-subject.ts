import { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { WebhookSubject } from '../psp/psp.ts';

export const Reference = z.object({
  accountId: z.uuid(),
  paymentId: z.uuid(),
  attemptId: z.uuid(),
});

const WebhookClaims = z.object({
  isClosed: z.boolean(),
  captures: z.array(z.object({ captureId: z.string(), money: Money })),
  refunds: z.array(
    z.object({
      refundId: z.string(),
      isOurs: z.boolean(),
      captureId: z.string(),
      money: Money,
      state: z.enum(['pending', 'failed', 'done', 'returned']),
    }),
  ),
  disputes: z.array(
    z.object({
      disputeId: z.string(),
      captureId: z.string(),
      money: Money,
      stage: z.enum(['warning', 'open', 'won', 'lost']),
    }),
  ),
});

const more = { refundId: z.string().optional(), told: WebhookClaims.optional() };

/** The subject of an event, stored until the event is processed. */
export const Subject: z.ZodType<WebhookSubject, object> = z.union([
  z.object({ pspRef: z.string(), reference: Reference, ...more }),
  z.object({ captureId: z.string(), ...more }),
]);
