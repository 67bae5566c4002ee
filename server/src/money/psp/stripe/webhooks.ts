import type Stripe from 'stripe';
import { z } from 'zod';
import type { ParsedWebhook, RawWebhook, WebhookSubject } from '../psp.ts';
import { CaptureId, Reference } from './ids.ts';
import { Session } from './payments.ts';
import { judgeSignature } from './signature.ts';

const Event = z.object({
  id: z.string().startsWith('evt_'),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
});

const IntentId = CaptureId.or(z.object({ id: CaptureId }).transform(({ id }) => id));

/**
 * Events about a paid payment: the object names its payment intent, or is one. Payment intents and charges
 * must have our reference, because other applications may use the same account. Refunds and disputes have
 * none, so their payment intent is queried.
 */
const AboutCapture = z.union([
  z
    .object({ object: z.literal('payment_intent'), id: CaptureId, metadata: Reference })
    .transform(({ id }) => id),
  z
    .object({ object: z.literal('charge'), payment_intent: IntentId, metadata: Reference })
    .transform(({ payment_intent }) => payment_intent),
  z
    .object({ object: z.enum(['refund', 'dispute']), payment_intent: IntentId })
    .transform(({ payment_intent }) => payment_intent),
]);

export function parseWebhook(
  stripe: Stripe,
  secrets: readonly string[],
  raw: RawWebhook,
): ParsedWebhook {
  const judgement = judgeSignature(stripe, secrets, raw);
  if (judgement !== 'genuine') return { ok: false, reason: judgement };
  const event = Event.safeParse(JSON.parse(raw.body.toString('utf8')));
  if (!event.success) return { ok: false, reason: 'malformed' };
  const { id: eventId, data } = event.data;
  return { ok: true, events: [{ eventId, subject: subjectOf(data.object) }] };
}

function subjectOf(object: unknown): WebhookSubject | null {
  const session = Session.safeParse(object);
  if (session.success) return { pspRef: session.data.id, reference: session.data.metadata };
  const capture = AboutCapture.safeParse(object);
  return capture.success ? { captureId: capture.data } : null;
}
