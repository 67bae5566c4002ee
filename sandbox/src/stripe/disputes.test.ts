import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventsAbout,
  givenPaidSession,
  type StripeProgram,
  startStripe,
  tellDispute,
} from '../../test/stripe.ts';

let stripe: StripeProgram;
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(async () => await stripe.stop());

test('the Stripe sandbox takes the disputed amount from the merchant balance at once and sends dispute events', async () => {
  const { intentId } = await givenPaidSession(stripe);

  const dispute = await tellDispute(stripe, '', { paymentIntent: intentId, stage: 'open' });

  expect(await stripe.sdk.disputes.retrieve(dispute.id)).toMatchObject({
    object: 'dispute',
    status: 'needs_response',
    amount: 499,
    currency: 'usd',
    payment_intent: intentId,
    is_charge_refundable: false,
    balance_transactions: [{ amount: -499, fee: 1500, net: -1999, reporting_category: 'dispute' }],
  });
  expect(await kindsAbout(dispute.id)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ]);
  const { latest_charge } = await stripe.sdk.paymentIntents.retrieve(intentId, {
    expand: ['latest_charge'],
  });
  expect(latest_charge).toMatchObject({ disputed: true, amount_refunded: 0 });
});

test('the Stripe sandbox returns the disputed amount to the merchant balance when the merchant wins the dispute', async () => {
  const dispute = await givenDispute({ stage: 'open', amount: 300 });

  const won = await tellDispute(stripe, `/${dispute.id}`, { stage: 'won' });

  expect(won).toMatchObject({ status: 'won', amount: 300 });
  expect(won.balance_transactions).toMatchObject([
    { amount: -300, reporting_category: 'dispute' },
    { amount: 300, fee: 0, reporting_category: 'dispute_reversal' },
  ]);
  expect((await kindsAbout(dispute.id)).slice(2)).toEqual([
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ]);
});

test('the Stripe sandbox keeps the amount of a lost dispute, and returns it if the dispute is won afterwards', async () => {
  const dispute = await givenDispute({ stage: 'open' });

  const lost = await tellDispute(stripe, `/${dispute.id}`, { stage: 'lost' });
  expect(lost).toMatchObject({ status: 'lost', balance_transactions: [{ amount: -499 }] });
  const won = await tellDispute(stripe, `/${dispute.id}`, { stage: 'won' });

  expect(won.balance_transactions).toHaveLength(2);
  expect((await kindsAbout(dispute.id)).slice(2)).toEqual([
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ]);
});

test('a dispute warning in the Stripe sandbox takes no money, and is then closed or becomes an open dispute', async () => {
  const [harmless, serious] = [
    await givenDispute({ stage: 'warning' }),
    await givenDispute({ stage: 'warning' }),
  ];
  expect(harmless).toMatchObject({
    status: 'warning_needs_response',
    balance_transactions: [],
    is_charge_refundable: true,
  });

  const closed = await tellDispute(stripe, `/${harmless.id}`, { stage: 'warning_closed' });
  const opened = await tellDispute(stripe, `/${serious.id}`, { stage: 'open' });

  expect(closed).toMatchObject({ status: 'warning_closed', balance_transactions: [] });
  expect(await kindsAbout(harmless.id)).toEqual([
    'charge.dispute.created',
    'charge.dispute.closed',
  ]);
  expect(opened).toMatchObject({
    status: 'needs_response',
    balance_transactions: [{ amount: -499 }],
  });
  const events = await eventsAbout(stripe, serious.id);
  expect(events).toMatchObject([
    { type: 'charge.dispute.created' },
    {
      type: 'charge.dispute.updated',
      data: { previous_attributes: { status: 'warning_needs_response' } },
    },
    { type: 'charge.dispute.funds_withdrawn' },
  ]);
});

test.each([
  ['warning', 'won'],
  ['warning', 'lost'],
  ['open', 'open'],
  ['open', 'warning_closed'],
])('a dispute of the Stripe sandbox in stage %s cannot move to stage %s', async (stage, next) => {
  const dispute = await givenDispute({ stage });

  await expect(tellDispute(stripe, `/${dispute.id}`, { stage: next })).rejects.toThrow(
    `cannot become ${next}`,
  );
});

test('a payment in the Stripe sandbox has at most one open dispute', async () => {
  const { intentId } = await givenPaidSession(stripe);
  const open = () => tellDispute(stripe, '', { paymentIntent: intentId, stage: 'open' });
  await open();

  await expect(open()).rejects.toThrow('is under dispute');
});

test.each([
  ['open', []],
  ['lost', ['lost']],
])('the Stripe sandbox refuses to refund a payment whose dispute is %s', async (_stage, moves) => {
  const dispute = await givenDispute({ stage: 'open' });
  for (const stage of moves) await tellDispute(stripe, `/${dispute.id}`, { stage });

  const refund = stripe.sdk.refunds.create({ payment_intent: intentOf(dispute) });

  await expect(refund).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 400,
    code: 'charge_disputed',
    message: expect.stringMatching(
      /^Charge ch_\w+ has been charged back; cannot issue a refund\.$/,
    ),
  });
});

test.each([
  ['a dispute warning', 'warning', []],
  ['a won dispute', 'open', ['won']],
])('the Stripe sandbox can refund a payment with %s', async (_what, stage, moves) => {
  const dispute = await givenDispute({ stage });
  for (const next of moves) await tellDispute(stripe, `/${dispute.id}`, { stage: next });

  const refund = await stripe.sdk.refunds.create({ payment_intent: intentOf(dispute) });

  expect(refund).toMatchObject({ status: 'succeeded', amount: 499 });
});

test('the Stripe sandbox lists disputes by payment, newest first, page by page', async () => {
  const first = await givenDispute({ stage: 'warning' });
  await tellDispute(stripe, `/${first.id}`, { stage: 'warning_closed' });
  const payment_intent = intentOf(first);
  const second = await tellDispute(stripe, '', { paymentIntent: payment_intent, stage: 'open' });
  await givenDispute({ stage: 'open' });

  const page = await stripe.sdk.disputes.list({ payment_intent, limit: 1 });
  const next = await stripe.sdk.disputes.list({
    payment_intent,
    limit: 1,
    starting_after: second.id,
    expand: ['data.payment_intent'],
  });

  expect(page).toMatchObject({ object: 'list', has_more: true, data: [{ id: second.id }] });
  expect(next).toMatchObject({
    has_more: false,
    data: [{ id: first.id, payment_intent: { id: payment_intent, object: 'payment_intent' } }],
  });
});

test('the Stripe sandbox answers resource_missing to an unknown dispute', async () => {
  await expect(stripe.sdk.disputes.retrieve('du_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  const move = tellDispute(stripe, '/du_none', { stage: 'won' });
  await expect(move).rejects.toThrow("No such dispute: 'du_none'");
});

async function givenDispute(input: { stage: string; amount?: number }) {
  const { intentId } = await givenPaidSession(stripe);
  return await tellDispute(stripe, '', { paymentIntent: intentId, ...input });
}

function intentOf({ payment_intent }: { payment_intent: unknown }): string {
  if (typeof payment_intent !== 'string') throw new Error('the dispute has no payment intent');
  return payment_intent;
}

async function kindsAbout(id: string): Promise<string[]> {
  return (await eventsAbout(stripe, id)).map(({ type }) => type);
}
