import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  givenPaidSession,
  givenSession,
  givenSessionParams,
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

const create = 'POST /v1/checkout/sessions';

test('the Stripe sandbox refuses a wrong API key and masks it in the error message', async () => {
  const sdk = stripe.sdkWithKey('sk_test_someone_elses_key_1234');

  await expect(sdk.checkout.sessions.create(givenSessionParams())).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
    message: expect.stringMatching(/^Invalid API Key provided: sk_test_\*+1234$/),
  });
});

test('the Stripe sandbox answers an unknown object or URL with the Stripe error envelope', async () => {
  await expect(stripe.sdk.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 404,
    code: 'resource_missing',
    requestId: expect.stringMatching(/^req_/),
  });
  await expect(stripe.sdk.customers.list()).rejects.toMatchObject({
    message: expect.stringContaining('Unrecognized request URL'),
  });
});

test.each([
  ['success_url', { success_url: 'not an address' }, 'url_invalid'],
  ['line_items', { line_items: [] }, 'parameter_missing'],
  ['locale', { locale: 'en-US' }, undefined],
  ['metadata', { metadata: { ['k'.repeat(41)]: 'v' } }, undefined],
] as const)(
  'the Stripe sandbox refuses a session with a wrong %s',
  async (param, changes, code) => {
    const params = { ...givenSessionParams(), ...structuredClone(changes) };
    const sent = stripe.sdk.rawRequest('POST', '/v1/checkout/sessions', { ...params });

    await expect(sent).rejects.toMatchObject({ statusCode: 400, param, code });
  },
);

test('the Stripe sandbox refuses an unknown parameter and names it', async () => {
  const sent = stripe.sdk.rawRequest('POST', '/v1/checkout/sessions', {
    ...givenSessionParams(),
    sucess_url: 'http://127.0.0.1:9/',
  });

  await expect(sent).rejects.toMatchObject({ code: 'parameter_unknown', param: 'sucess_url' });
});

test('the Stripe sandbox replays the session for a repeated idempotency key with the same parameters', async () => {
  const params = givenSessionParams();
  const idempotencyKey = crypto.randomUUID();

  const first = await stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
  const second = await stripe.sdk.checkout.sessions.create(params, { idempotencyKey });

  expect(second.id).toBe(first.id);
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
});

test('the Stripe sandbox answers a repeated idempotency key with other parameters with an idempotency error', async () => {
  const idempotencyKey = crypto.randomUUID();
  await stripe.sdk.checkout.sessions.create(givenSessionParams(), { idempotencyKey });

  const other = stripe.sdk.checkout.sessions.create(givenSessionParams(), { idempotencyKey });

  await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
});

test('the Stripe sandbox accepts a used idempotency key for a new request after a day', async () => {
  const idempotencyKey = crypto.randomUUID();
  const params = givenSessionParams();
  delete params.expires_at;
  const first = await stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
  await stripe.tell('/__sandbox/clock', { advanceSeconds: 25 * 3600 });

  const second = await stripe.sdk.checkout.sessions.create(params, { idempotencyKey });

  expect(second.id).not.toBe(first.id);
});

test('the Stripe sandbox accepts an idempotency key again after a request with invalid parameters', async () => {
  const idempotencyKey = crypto.randomUUID();
  const bad = stripe.sdk.checkout.sessions.create(givenSessionParams({ line_items: [] }), {
    idempotencyKey,
  });
  await expect(bad).rejects.toMatchObject({ statusCode: 400 });

  const good = await stripe.sdk.checkout.sessions.create(givenSessionParams(), { idempotencyKey });

  expect(good.status).toBe('open');
});

test('the Stripe sandbox answers 409 to an idempotency key while its first request is in progress', async () => {
  const params = givenSessionParams();
  const idempotencyKey = crypto.randomUUID();
  const before = (await stripe.records()).requests;
  await stripe.tell('/__sandbox/faults', { match: create, kind: 'hang' });
  const first = stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
  await expect.poll(async () => (await stripe.records()).requests).toBe(before + 1);

  const second = stripe.sdk.checkout.sessions.create(params, { idempotencyKey });

  await expect(second).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  await stripe.tell('/__sandbox/release', {});
  const third = await first;
  expect((await stripe.sdk.checkout.sessions.create(params, { idempotencyKey })).id).toBe(third.id);
});

test('the Stripe sandbox, planned to fail before the commit, creates nothing and repeats its error 500 for the idempotency key', async () => {
  const params = givenSessionParams();
  const idempotencyKey = crypto.randomUUID();
  const before = (await stripe.records()).counts.sessions;
  await stripe.tell('/__sandbox/faults', { match: create, kind: 'http500_before' });

  for (const _attempt of [1, 2]) {
    const sent = stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
    await expect(sent).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 });
  }

  expect((await stripe.records()).counts.sessions).toBe(before);
  expect((await stripe.sdk.checkout.sessions.create(params)).status).toBe('open');
});

test('a retry with the same idempotency key succeeds if the Stripe sandbox did not store its first answer, an error 500', async () => {
  const params = givenSessionParams();
  const idempotencyKey = crypto.randomUUID();
  await stripe.tell('/__sandbox/faults', { match: create, kind: 'http500_before', stored: false });

  const sent = stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
  await expect(sent).rejects.toMatchObject({ statusCode: 500 });

  const again = await stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
  expect(again.status).toBe('open');
});

test('the Stripe sandbox, planned to fail after the commit, makes the refund although it answers with an error 500', async () => {
  const { intentId } = await givenPaidSession(stripe);
  const idempotencyKey = crypto.randomUUID();
  await stripe.tell('/__sandbox/faults', {
    match: 'POST /v1/refunds',
    kind: 'http500_after_commit',
  });

  for (const _attempt of [1, 2]) {
    const sent = stripe.sdk.refunds.create({ payment_intent: intentId }, { idempotencyKey });
    await expect(sent).rejects.toMatchObject({ statusCode: 500 });
  }

  const { data } = await stripe.sdk.refunds.list({ payment_intent: intentId });
  expect(data).toMatchObject([{ amount: 499, status: 'succeeded' }]);
});

test('a retry with the same idempotency key finds the session whose first answer the Stripe sandbox cut off', async () => {
  const params = givenSessionParams();
  const idempotencyKey = crypto.randomUUID();
  const before = (await stripe.records()).counts.sessions ?? 0;
  // The SDK retries once when a connection closes, so both answers are cut off.
  await stripe.tell('/__sandbox/faults', { match: create, kind: 'cut_after_commit', times: 2 });

  const sent = stripe.sdk.checkout.sessions.create(params, { idempotencyKey });
  await expect(sent).rejects.toMatchObject({ type: 'StripeConnectionError' });
  const found = await stripe.sdk.checkout.sessions.create(params, { idempotencyKey });

  expect(found.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.records()).counts.sessions).toBe(before + 1);
});

test('the Stripe SDK reports no error when the Stripe sandbox answers 404 with JSON that has no error object', async () => {
  const session = await givenSession(stripe);
  await stripe.tell('/__sandbox/faults', {
    match: 'GET /v1/checkout/sessions/:id',
    kind: 'json404_without_error',
  });

  const answer = await stripe.sdk.checkout.sessions.retrieve(session.id);

  expect(answer.object).toBeUndefined();
});

test('the Stripe sandbox refuses refunds beyond the paid amount', async () => {
  const { intentId } = await givenPaidSession(stripe);
  const first = await stripe.sdk.refunds.create({
    payment_intent: intentId,
    amount: 200,
    metadata: { refundId: 'r1' },
    reason: 'requested_by_customer',
  });
  expect(first).toMatchObject({ object: 'refund', amount: 200, status: 'succeeded' });
  expect(await stripe.sdk.refunds.retrieve(first.id)).toMatchObject({
    metadata: { refundId: 'r1' },
  });

  const tooMuch = stripe.sdk.refunds.create({ payment_intent: intentId, amount: 300 });
  await expect(tooMuch).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    param: 'amount',
    message: 'Refund amount ($3.00) is greater than unrefunded amount on charge ($2.99)',
  });

  expect(await stripe.sdk.refunds.create({ payment_intent: intentId })).toMatchObject({
    amount: 299,
  });
  await expect(stripe.sdk.refunds.create({ payment_intent: intentId })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
  const { data } = await stripe.sdk.charges.list({ payment_intent: intentId });
  expect(data).toMatchObject([{ amount_refunded: 499, refunded: true }]);
});

test('twenty concurrent refunds in the Stripe sandbox do not exceed the paid amount', async () => {
  const { intentId } = await givenPaidSession(stripe);

  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      stripe.sdk.refunds.create({ payment_intent: intentId, amount: 100 }),
    ),
  );

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});

test('the Stripe sandbox answers an event by its id and lists events by type, page by page', async () => {
  await givenPaidSession(stripe);
  await givenPaidSession(stripe);

  const type = 'checkout.session.completed';
  const [newest] = (await stripe.sdk.events.list({ type, limit: 1 })).data;
  if (newest === undefined) throw new Error('no event was listed');
  const next = await stripe.sdk.events.list({ type, limit: 1, starting_after: newest.id });

  expect(await stripe.sdk.events.retrieve(newest.id)).toMatchObject({ id: newest.id, type });
  expect(next.data).toHaveLength(1);
  expect(next.data[0]?.id).not.toBe(newest.id);
});
