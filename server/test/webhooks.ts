import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { PaymentReference } from '../src/money/psp/psp.ts';
import { type Db, sql } from '../src/platform/db.ts';
import { type TestShop, webhookSecret } from './shop.ts';

/** An event about a session of ours, as the provider sends it. */
export function sessionEvent(
  sessionId: string,
  reference: PaymentReference,
  type = 'checkout.session.completed',
) {
  return {
    id: `evt_${randomUUID()}`,
    object: 'event',
    type,
    data: {
      object: {
        id: sessionId,
        object: 'checkout.session',
        url: null,
        status: 'complete',
        payment_status: 'paid',
        amount_total: 499,
        currency: 'usd',
        metadata: { ...reference },
        payment_intent: 'pi_1',
      },
    },
  };
}

interface Forgery {
  secret?: string;
  ageSeconds?: number;
  /** Changes the body after it was signed. */
  change?: (body: string) => string;
  signature?: string;
}

/** The raw body and signature header, correct or with one deviation. */
export function signed(event: object, { change = (body) => body, ...forgery }: Forgery = {}) {
  const body = JSON.stringify(event, null, 2);
  const t = Math.floor(Date.now() / 1000) - (forgery.ageSeconds ?? 0);
  const hmac = createHmac('sha256', forgery.secret ?? webhookSecret);
  const signature = forgery.signature ?? `t=${t},v1=${hmac.update(`${t}.${body}`).digest('hex')}`;
  return {
    body: Buffer.from(change(body)),
    headers: { 'stripe-signature': signature },
    receivedAt: new Date(),
  };
}

/** Posts the webhook to the shop and returns the HTTP status. */
export async function postWebhook(
  shop: TestShop,
  { body, headers }: { body: Buffer<ArrayBuffer>; headers: Record<string, string> },
  contract = 'stripe',
): Promise<number> {
  const response = await fetch(`${shop.url}/webhooks/${contract}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

const InboxRow = z.object({
  raw_body: z.instanceof(Buffer),
  processed_at: z.date().nullable(),
  outcome: z.string().nullable(),
});

/** The inbox rows of an event. */
export async function inboxOf(db: Db, { id }: { id: string }, contract = 'stripe') {
  return await db.many(
    InboxRow,
    sql`select * from provider_inbox where psp = ${contract} and event_id = ${id}`,
  );
}

const JobRow = z.object({ name: z.string(), state: z.string() });

/** The jobs that an event created. */
export async function jobsAbout(db: Db, { id }: { id: string }) {
  return await db.many(
    JobRow,
    sql`select name, state::text from pgboss.job where data->>'eventId' = ${id}`,
  );
}

const Events = z.object({
  events: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      data: z.object({ object: z.looseObject({ id: z.string() }) }),
    }),
  ),
});

/** The provider's events about a session. */
export async function eventsAbout(shop: TestShop, sessionId: string) {
  const { events } = Events.parse(await shop.stripe.ask('/__sandbox/records'));
  return events.filter(({ data }) => data.object.id === sessionId);
}
