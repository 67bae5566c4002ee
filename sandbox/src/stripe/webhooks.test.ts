import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver } from '../../test/receiver.ts';
import {
  givenPaidSession,
  givenSession,
  type StripeProgram,
  startStripe,
  webhookSecret,
} from '../../test/stripe.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stripe: StripeProgram;
beforeEach(async () => {
  receiver = await startReceiver();
  stripe = await startStripe({ WEBHOOK_URL: receiver.url, WEBHOOK_RETRY_BASE_MS: '20' });
  // One payment sends one webhook in tests that are not about event types.
  await stripe.tell('/__sandbox/webhooks', {
    enabledEvents: ['checkout.session.completed', 'checkout.session.expired'],
  });
});
afterEach(async () => {
  await stripe.stop();
  await receiver.stop();
});

test('the Stripe sandbox sends one webhook for a payment, signed over the exact bytes of its body', async () => {
  const { sessionId, intentId } = await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(1);
  const event = verified(0);

  expect(event).toMatchObject({
    object: 'event',
    type: 'checkout.session.completed',
    api_version: '2026-10-28.endive',
    livemode: false,
    data: { object: { id: sessionId, payment_status: 'paid', payment_intent: intentId } },
  });
  await expect
    .poll(async () => (await stripe.records()).webhookDeliveries)
    .toMatchObject([
      { eventId: event.id, attempt: 1, outcome: 'delivered', status: 200, signature: 'genuine' },
    ]);
});

test('the Stripe sandbox sends signed webhooks of the charge, the intent and the session of a payment', async () => {
  await stripe.tell('/__sandbox/webhooks', { enabledEvents: ['*'] });
  const { sessionId, intentId } = await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(3);
  const events = [verified(0), verified(1), verified(2)];
  expect(events.sort((a, b) => a.type.localeCompare(b.type))).toMatchObject([
    {
      type: 'charge.succeeded',
      data: { object: { object: 'charge', paid: true, amount: 499, payment_intent: intentId } },
    },
    { type: 'checkout.session.completed', data: { object: { id: sessionId } } },
    {
      type: 'payment_intent.succeeded',
      data: { object: { id: intentId, status: 'succeeded', amount_received: 499 } },
    },
  ]);
});

test('the Stripe sandbox records an event of a type that is not enabled and does not send it', async () => {
  await stripe.tell('/__sandbox/webhooks', { enabledEvents: ['charge.succeeded'] });
  await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(1);
  expect(verified(0).type).toBe('charge.succeeded');
  const { data } = await stripe.sdk.events.list({ type: 'checkout.session.completed' });
  expect(data).toMatchObject([{ pending_webhooks: 0 }]);
});

test('the Stripe sandbox sends a webhook when a session expires', async () => {
  const session = await givenSession(stripe);
  await stripe.sdk.checkout.sessions.expire(session.id);

  await expect.poll(() => receiver.received.length).toBe(1);
  expect(verified(0)).toMatchObject({
    type: 'checkout.session.expired',
    data: { object: { id: session.id, status: 'expired' } },
  });
});

test('the Stripe sandbox sends webhooks of a refund and of its charge', async () => {
  const paymentId = crypto.randomUUID();
  const { intentId } = await givenPaidSession(stripe, {
    payment_intent_data: { metadata: { paymentId } },
  });
  await expect.poll(() => receiver.received.length).toBe(1);
  await stripe.tell('/__sandbox/webhooks', { enabledEvents: ['*'] });
  await stripe.sdk.refunds.create({ payment_intent: intentId, amount: 100 });

  await expect.poll(() => receiver.received.length).toBe(3);
  const events = [verified(1), verified(2)].sort((a, b) => a.type.localeCompare(b.type));
  expect(events).toMatchObject([
    {
      type: 'charge.refunded',
      data: { object: { amount_refunded: 100, refunded: false, metadata: { paymentId } } },
    },
    { type: 'refund.created', data: { object: { amount: 100, status: 'succeeded' } } },
  ]);
});

test('the Stripe sandbox retries a refused webhook until it is accepted', async () => {
  receiver.failNext(3);
  await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(4);
  const ids = receiver.received.map((_, index) => verified(index).id);
  expect(new Set(ids).size).toBe(1);
  await expect
    .poll(async () => attempts())
    .toEqual([
      [1, 'refused', 503],
      [2, 'refused', 503],
      [3, 'refused', 503],
      [4, 'delivered', 200],
    ]);
});

test('the Stripe sandbox gives up a refused webhook after ten attempts', async () => {
  await stripe.tell('/__sandbox/webhooks', { retryBaseMs: 1 });
  receiver.failNext(100);
  await givenPaidSession(stripe);
  await expect.poll(async () => (await attempts()).length).toBe(10);

  // An eleventh attempt would have been made before this later event arrives.
  receiver.failNext(0);
  await stripe.tell('/__sandbox/clock', { advanceSeconds: 3600 });
  await stripe.sdk.checkout.sessions.expire(
    (await givenSession(stripe, { expires_at: Math.floor(Date.now() / 1000) + 2 * 3600 })).id,
  );
  await expect.poll(async () => (await attempts()).length).toBe(11);
  expect(receiver.received).toHaveLength(11);
  expect(verified(10).type).toBe('checkout.session.expired');
});

test('the Stripe sandbox never sends a webhook that the control API planned to drop, and sends the next one', async () => {
  await stripe.tell('/__sandbox/webhooks', { plan: { drop: 1 } });
  await givenPaidSession(stripe);
  const second = await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(1);
  expect(verified(0).data.object).toMatchObject({ id: second.sessionId });
  await expect
    .poll(async () => (await stripe.records()).webhookDeliveries.map(({ outcome }) => outcome))
    .toEqual(['delivered', 'dropped']);
});

test('duplicated webhooks of the Stripe sandbox carry the same event id', async () => {
  await stripe.tell('/__sandbox/webhooks', { plan: { duplicate: 2 } });
  await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(3);
  expect(new Set([verified(0).id, verified(1).id, verified(2).id]).size).toBe(1);
});

test('the Stripe sandbox sends a later webhook before an earlier one when its control API is told to', async () => {
  await stripe.tell('/__sandbox/webhooks', { plan: { reorder: true } });
  const first = await givenPaidSession(stripe);
  const second = await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(2);
  expect(verified(0).data.object).toMatchObject({ id: second.sessionId });
  expect(verified(1).data.object).toMatchObject({ id: first.sessionId });
});

test('the Stripe sandbox sends a webhook that it holds back for reordering when its faults are reset', async () => {
  await stripe.tell('/__sandbox/webhooks', { plan: { reorder: true } });
  const { sessionId } = await givenPaidSession(stripe);

  await stripe.tell('/__sandbox/reset');

  await expect.poll(() => receiver.received.length).toBe(1);
  expect(verified(0).data.object).toMatchObject({ id: sessionId });
});

test.each([
  ['tampered', { tamper: true }],
  ['wrong_secret', { wrongSecret: true }],
  ['shifted', { timestampOffsetSeconds: -3600 }],
])('the Stripe SDK rejects a webhook that the Stripe sandbox forges as %s', async (kind, plan) => {
  await stripe.tell('/__sandbox/webhooks', { plan });
  await givenPaidSession(stripe);

  await expect.poll(() => receiver.received.length).toBe(1);
  expect(() => verified(0)).toThrow(Stripe.errors.StripeSignatureVerificationError);
  await expect
    .poll(async () => (await stripe.records()).webhookDeliveries)
    .toMatchObject([{ signature: kind }]);
});

test('the Stripe sandbox retries a refused forged webhook as a genuine one after its faults are reset', async () => {
  await stripe.tell('/__sandbox/webhooks', { plan: { tamper: true }, retryBaseMs: 60_000 });
  receiver.failNext(1);
  await givenPaidSession(stripe);
  await expect.poll(attempts).toEqual([[1, 'refused', 503]]);

  await stripe.tell('/__sandbox/reset');
  await stripe.tell('/__sandbox/clock', { advanceSeconds: 60 });

  await expect.poll(() => receiver.received.length).toBe(2);
  expect(verified(1).type).toBe('checkout.session.completed');
});

test('the Stripe sandbox lists every webhook that was acknowledged and no refused one, page by page', async () => {
  receiver.failNext(1);
  await givenPaidSession(stripe);
  await expect.poll(() => receiver.received.length).toBe(2);
  await stripe.tell('/__sandbox/webhooks', { plan: { duplicate: 1 } });
  await givenPaidSession(stripe);
  await expect.poll(() => receiver.received.length).toBe(4);
  await expect.poll(async () => (await acknowledged('')).acknowledged.length).toBe(3);

  const first = await acknowledged('?limit=2');
  const second = await acknowledged(`?limit=2&after=${first.next}`);

  const listed = [...first.acknowledged, ...second.acknowledged];
  expect(listed.map(({ eventId }) => eventId)).toEqual(
    [1, 2, 3].map((index) => verified(index).id),
  );
  expect(listed[0]).toMatchObject({ type: 'checkout.session.completed', signature: 'genuine' });
  expect(second.next).toBeNull();
});

test('the Stripe sandbox sends a delayed webhook only when its delay has passed', async () => {
  await stripe.tell('/__sandbox/webhooks', { plan: { delayMs: 3_600_000 } });
  await givenPaidSession(stripe);
  expect(receiver.received).toEqual([]);

  await stripe.tell('/__sandbox/clock', { advanceSeconds: 3600 });

  await expect.poll(() => receiver.received.length).toBe(1);
});

function verified(index: number): Stripe.Event {
  const message = receiver.received[index];
  const signature = message?.headers['stripe-signature'];
  if (message === undefined || signature === undefined) throw new Error('no webhook arrived');
  return stripe.sdk.webhooks.constructEvent(message.body, signature, webhookSecret);
}

type Acknowledged = {
  acknowledged: { seq: number; eventId: string; type: string; signature: string }[];
  next: number | null;
};

async function acknowledged(query: string): Promise<Acknowledged> {
  // The sandbox is part of this project, and the test checks every field that it uses.
  return (await stripe.get(`/__sandbox/acknowledged${query}`)) as Acknowledged;
}

async function attempts(): Promise<[number, string, number | null][]> {
  const { webhookDeliveries } = await stripe.records();
  return webhookDeliveries
    .map(({ attempt, outcome, status }): [number, string, number | null] => [
      attempt,
      outcome,
      status,
    ])
    .sort(([a], [b]) => a - b);
}
