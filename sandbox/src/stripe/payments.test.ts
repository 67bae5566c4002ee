import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  givenPaidSession,
  givenSession,
  press,
  type StripeProgram,
  startStripe,
} from '../../test/stripe.ts';

let stripe: StripeProgram;
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(async () => await stripe.stop());

test('a new session in the Stripe sandbox is open and unpaid, with its amount and payment URL', async () => {
  const session = await givenSession(stripe, { client_reference_id: 'attempt-1', locale: 'ja' });

  expect(session).toMatchObject({
    object: 'checkout.session',
    amount_total: 499,
    currency: 'usd',
    client_reference_id: 'attempt-1',
    livemode: false,
    locale: 'ja',
    payment_status: 'unpaid',
    payment_intent: null,
    status: 'open',
    url: `${stripe.url}/c/pay/${session.id}`,
  });
  expect(session.id).toMatch(/^cs_test_/);
  expect(session.lastResponse.requestId).toMatch(/^req_/);
});

test('a paid session in the Stripe sandbox is complete, and its one intent and one charge carry the payment id', async () => {
  const paymentId = crypto.randomUUID();
  const { sessionId } = await givenPaidSession(stripe, {
    payment_intent_data: { metadata: { paymentId } },
  });

  const session = await stripe.sdk.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge', 'line_items'],
  });

  expect(session).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    payment_intent: {
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: 499,
      metadata: { paymentId },
      latest_charge: { object: 'charge', amount_captured: 499, paid: true },
    },
    line_items: { data: [{ description: '60 gems', amount_total: 499 }] },
  });
  expect(await chargesOf(paymentId)).toHaveLength(1);
});

test('the Stripe sandbox redirects the payer to the success URL with the session id', async () => {
  const session = await givenSession(stripe);

  const response = await press(stripe, session.id, 'pay');

  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`http://127.0.0.1:9/return?session=${session.id}`);
});

test('twenty concurrent payments of one Stripe sandbox session make one charge and all redirect to the shop', async () => {
  const paymentId = crypto.randomUUID();
  const session = await givenSession(stripe, { payment_intent_data: { metadata: { paymentId } } });

  const presses = Array.from({ length: 20 }, () => press(stripe, session.id, 'pay'));
  const statuses = (await Promise.all(presses)).map(({ status }) => status);

  expect(statuses).toEqual(Array(20).fill(303));
  expect(await chargesOf(paymentId)).toHaveLength(1);
  const { events } = await stripe.records();
  expect(events.filter((event) => JSON.stringify(event).includes(session.id))).toHaveLength(1);
});

test('a card that the Stripe sandbox declines leaves the session open, shows the reason and can be retried', async () => {
  const session = await givenSession(stripe);

  const declined = await press(stripe, session.id, 'decline');
  const page = await fetch(new URL(declined.headers.get('location') ?? '', stripe.url));
  expect(await page.text()).toContain('Your card was declined.');
  const after = await stripe.sdk.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent'],
  });
  expect(after).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: {
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
      latest_charge: null,
    },
  });

  expect((await press(stripe, session.id, 'pay')).status).toBe(303);
});

test('the Stripe sandbox shows the session as paid to a payer who stays on its payment page', async () => {
  const session = await givenSession(stripe);

  const response = await press(stripe, session.id, 'pay-and-stay');

  expect(response.headers.get('location')).toBe(`/c/pay/${session.id}`);
  expect(await pageOf(session.id)).toContain('<h1>Paid</h1>');
});

test('an expired session in the Stripe sandbox charges nothing and shows that it has expired', async () => {
  const paymentId = crypto.randomUUID();
  const session = await givenSession(stripe, { payment_intent_data: { metadata: { paymentId } } });
  await stripe.sdk.checkout.sessions.expire(session.id);

  const response = await press(stripe, session.id, 'pay');

  expect(response.status).toBe(410);
  expect(await response.text()).toContain('This payment page has expired');
  expect(await chargesOf(paymentId)).toEqual([]);
});

test('the Stripe sandbox refuses to expire a paid session', async () => {
  const { sessionId } = await givenPaidSession(stripe);

  await expect(stripe.sdk.checkout.sessions.expire(sessionId)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    message: expect.stringContaining('status of complete'),
  });
});

test('a session in the Stripe sandbox expires by the clock of the sandbox', async () => {
  const other = await startStripe();
  try {
    const session = await givenSession(other);
    await other.tell('/__sandbox/clock', { advanceSeconds: 31 * 60 });

    await expect
      .poll(async () => (await other.records()).events.map(({ type }) => type))
      .toEqual(['checkout.session.expired']);
    expect((await other.sdk.checkout.sessions.retrieve(session.id)).status).toBe('expired');
  } finally {
    await other.stop();
  }
});

test.each([
  ['in less than 30 minutes', 29 * 60 - 30],
  ['after more than 24 hours', 24 * 3600 + 60],
])('the Stripe sandbox refuses a session that expires %s', async (_when, seconds) => {
  const expires_at = Math.floor(Date.now() / 1000) + seconds;

  await expect(givenSession(stripe, { expires_at })).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 400,
    param: 'expires_at',
  });
});

test('the Stripe sandbox payment page shows an amount in KRW without decimals and escapes the product name', async () => {
  const session = await givenSession(stripe, {
    locale: 'ko',
    line_items: [
      {
        quantity: 2,
        price_data: { currency: 'krw', unit_amount: 6000, product_data: { name: '<b>젬</b>' } },
      },
    ],
  });

  const page = await pageOf(session.id);

  expect(session.amount_total).toBe(12_000);
  expect(page).toContain('Pay ₩12,000</button>');
  expect(page).toContain('lang="ko"');
  expect(page).toContain('&lt;b&gt;젬&lt;/b&gt;');
});

test('the control API can make the Stripe sandbox charge another amount and currency than the shop requested', async () => {
  const session = await givenSession(stripe);

  await stripe.tell(`/__sandbox/sessions/${session.id}/pay`, { amount: 1, currency: 'EUR' });

  expect(await stripe.sdk.checkout.sessions.retrieve(session.id)).toMatchObject({
    amount_total: 1,
    currency: 'eur',
    payment_status: 'paid',
  });
});

async function chargesOf(paymentId: string): Promise<unknown> {
  const answer = await stripe.get(`/__sandbox/charges?paymentId=${paymentId}`);
  if (typeof answer !== 'object' || answer === null || !('charges' in answer)) return undefined;
  return answer.charges;
}

async function pageOf(sessionId: string): Promise<string> {
  return await (await fetch(`${stripe.url}/c/pay/${sessionId}`)).text();
}
