import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  eventsAbout,
  givenPaidSession,
  type StripeProgram,
  startStripe,
} from '../../test/stripe.ts';

let stripe: StripeProgram;
beforeAll(async () => {
  stripe = await startStripe();
});
beforeEach(async () => {
  await stripe.tell('/__sandbox/reset');
});
afterAll(async () => await stripe.stop());

test('a refund in the Stripe sandbox succeeds at once and raises amount_refunded of its charge', async () => {
  const { intentId } = await givenPaidSession(stripe);

  const refund = await stripe.sdk.refunds.create({ payment_intent: intentId, amount: 100 });

  expect(refund).toMatchObject({
    object: 'refund',
    status: 'succeeded',
    balance_transaction: expect.stringMatching(/^txn_/),
  });
  expect(await kindsAbout(refund.id)).toEqual(['refund.created']);
  expect(await chargeOf(intentId)).toMatchObject({ amount_refunded: 100, refunded: false });
});

test('a pending refund in the Stripe sandbox reserves its part of the charge until the control API settles it', async () => {
  const { intentId } = await givenPaidSession(stripe);
  await stripe.tell('/__sandbox/refunds', { next: 'pending' });

  const refund = await stripe.sdk.refunds.create({ payment_intent: intentId, amount: 400 });
  expect(refund).toMatchObject({ status: 'pending', balance_transaction: null });
  const more = stripe.sdk.refunds.create({ payment_intent: intentId, amount: 100 });
  await expect(more).rejects.toMatchObject({ param: 'amount' });

  const settled = await stripe.tell(`/__sandbox/refunds/${refund.id}/settle`, {
    status: 'succeeded',
  });

  expect(settled).toMatchObject({ id: refund.id, status: 'succeeded' });
  expect(await stripe.sdk.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
  const events = await eventsAbout(stripe, intentId);
  expect(events.slice(-3)).toMatchObject([
    { type: 'refund.created', data: { object: { status: 'pending' } } },
    {
      type: 'refund.updated',
      data: { object: { status: 'succeeded' }, previous_attributes: { status: 'pending' } },
    },
    { type: 'charge.refunded', data: { object: { amount_refunded: 400 } } },
  ]);
});

test('the Stripe sandbox can refund a charge again after its refund failed at the bank', async () => {
  const { intentId } = await givenPaidSession(stripe);
  await stripe.tell('/__sandbox/refunds', { next: 'pending' });
  const refund = await stripe.sdk.refunds.create({ payment_intent: intentId });

  await stripe.tell(`/__sandbox/refunds/${refund.id}/settle`, { status: 'failed' });

  expect(await stripe.sdk.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    balance_transaction: null,
  });
  expect(await kindsAbout(refund.id)).toEqual([
    'refund.created',
    'refund.updated',
    'refund.failed',
  ]);
  expect(await chargeOf(intentId)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(await stripe.sdk.refunds.create({ payment_intent: intentId })).toMatchObject({
    amount: 499,
    status: 'succeeded',
  });
});

test('the Stripe sandbox lets as many refunds fail immediately as its control API is told to', async () => {
  const { intentId } = await givenPaidSession(stripe);
  await stripe.tell('/__sandbox/refunds', { next: 'failed', times: 2 });

  const statuses: unknown[] = [];
  for (const _attempt of [1, 2, 3]) {
    const refund = await stripe.sdk.refunds.create({ payment_intent: intentId });
    statuses.push(refund.status);
  }

  expect(statuses).toEqual(['failed', 'failed', 'succeeded']);
  const { data } = await stripe.sdk.refunds.list({ payment_intent: intentId });
  expect(data.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'failed']);
});

test('a succeeded refund in the Stripe sandbox can still fail weeks later', async () => {
  const { intentId } = await givenPaidSession(stripe);
  const refund = await stripe.sdk.refunds.create({ payment_intent: intentId });
  await stripe.tell('/__sandbox/clock', { advanceSeconds: 20 * 24 * 3600 });

  await stripe.tell(`/__sandbox/refunds/${refund.id}/settle`, { status: 'failed' });

  expect(await stripe.sdk.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    balance_transaction: refund.balance_transaction,
    failure_balance_transaction: expect.stringMatching(/^txn_/),
  });
  expect(await chargeOf(intentId)).toMatchObject({ amount_refunded: 0 });
});

test('a settled refund in the Stripe sandbox changes its outcome only from succeeded to failed', async () => {
  const { intentId } = await givenPaidSession(stripe);
  const refund = await stripe.sdk.refunds.create({ payment_intent: intentId });
  const settle = (status: string) =>
    stripe.tell(`/__sandbox/refunds/${refund.id}/settle`, { status });

  await expect(settle('succeeded')).rejects.toThrow('is succeeded and cannot become succeeded');
  await settle('failed');
  await expect(settle('succeeded')).rejects.toThrow('is failed and cannot become succeeded');
  await expect(settle('failed')).rejects.toThrow('is failed and cannot become failed');
});

test('a refund made by the merchant in the Stripe sandbox dashboard has its payment intent but no metadata', async () => {
  const { intentId } = await givenPaidSession(stripe);

  const made = await stripe.tell(`/__sandbox/charges/${intentId}/refund`, { amount: 99 });

  expect(made).toMatchObject({ object: 'refund', amount: 99, metadata: {}, status: 'succeeded' });
  const { data } = await stripe.sdk.refunds.list({ payment_intent: intentId });
  expect(data).toMatchObject([{ amount: 99, metadata: {}, payment_intent: intentId }]);
  const events = await eventsAbout(stripe, intentId);
  expect(events.slice(-2)).toMatchObject([
    { type: 'refund.created', request: null },
    { type: 'charge.refunded', request: null },
  ]);
  const tooMuch = stripe.tell(`/__sandbox/charges/${intentId}/refund`, { amount: 401 });
  await expect(tooMuch).rejects.toThrow('400 {"error":{"type":"invalid_request_error"');
});

test('fifty concurrent refunds in the Stripe sandbox, some pending, do not exceed the paid amount', async () => {
  const { intentId } = await givenPaidSession(stripe);
  await stripe.tell('/__sandbox/refunds', { next: 'pending', times: 2 });

  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      stripe.sdk.refunds.create({ payment_intent: intentId, amount: 100 }),
    ),
  );

  const refusals = results.filter((result) => result.status === 'rejected');
  expect(refusals).toHaveLength(46);
  expect(refusals.map(({ reason }) => reason.type)).toEqual(
    Array(46).fill('StripeInvalidRequestError'),
  );
  expect(await chargeOf(intentId)).toMatchObject({ amount_refunded: 400 });
});

test('the Stripe sandbox makes one of fifty concurrent full refunds and refuses the others as already refunded', async () => {
  const { intentId } = await givenPaidSession(stripe);

  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => stripe.sdk.refunds.create({ payment_intent: intentId })),
  );

  const refusals = results.filter((result) => result.status === 'rejected');
  expect(refusals.map(({ reason }) => reason.code)).toEqual(
    Array(49).fill('charge_already_refunded'),
  );
});

test('the Stripe sandbox lists refunds newest first, page by page, each once', async () => {
  const { intentId } = await givenPaidSession(stripe);
  const made: string[] = [];
  for (const amount of [1, 2, 3, 4, 5]) {
    made.unshift((await stripe.sdk.refunds.create({ payment_intent: intentId, amount })).id);
  }
  await givenPaidSession(stripe);

  const first = await stripe.sdk.refunds.list({ payment_intent: intentId, limit: 2 });
  const rest = await stripe.sdk.refunds.list({
    payment_intent: intentId,
    limit: 3,
    starting_after: first.data.at(-1)?.id ?? '',
  });

  expect(first).toMatchObject({ object: 'list', url: '/v1/refunds', has_more: true });
  expect(rest.has_more).toBe(false);
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(made);
  const all = stripe.sdk.refunds.list({ payment_intent: intentId, limit: 2 });
  expect(await all.autoPagingToArray({ limit: 100 })).toHaveLength(5);
});

test('the Stripe sandbox expands the charge, payment intent and balance transaction of a refund on request', async () => {
  const paymentId = crypto.randomUUID();
  const { intentId } = await givenPaidSession(stripe, {
    payment_intent_data: { metadata: { paymentId } },
  });
  const { id } = await stripe.sdk.refunds.create({ payment_intent: intentId });

  expect(
    await stripe.sdk.refunds.retrieve(id, {
      expand: ['payment_intent', 'charge', 'balance_transaction'],
    }),
  ).toMatchObject({
    payment_intent: { id: intentId, metadata: { paymentId } },
    charge: { object: 'charge', refunded: true },
    balance_transaction: { object: 'balance_transaction', amount: -499, type: 'refund' },
  });
  const listed = await stripe.sdk.refunds.list({
    payment_intent: intentId,
    expand: ['data.payment_intent'],
  });
  expect(listed.data).toMatchObject([{ payment_intent: { metadata: { paymentId } } }]);
});

async function kindsAbout(id: string): Promise<string[]> {
  return (await eventsAbout(stripe, id)).map(({ type }) => type);
}

async function chargeOf(intentId: string): Promise<unknown> {
  const intent = await stripe.sdk.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] });
  return intent.latest_charge;
}
