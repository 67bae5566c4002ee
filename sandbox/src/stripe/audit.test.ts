import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditedIn, sorted } from '../../test/audited.ts';
import {
  givenPaidSession,
  givenSession,
  type StripeProgram,
  startStripe,
  tellDispute,
} from '../../test/stripe.ts';

let stripe: StripeProgram;
beforeEach(async () => {
  stripe = await startStripe();
});
afterEach(async () => await stripe.stop());

test('the Stripe sandbox lists every charge once for the auditor program', async () => {
  const payments = [await givenPayment(), await givenPayment(), await givenPayment()];
  await givenSession(stripe);

  expect(await auditedIn(stripe, 'charges')).toEqual(
    sorted(payments.map(({ paymentId, intentId }) => `${paymentId}|${intentId}|499|usd`)),
  );
});

test('the Stripe sandbox lists only succeeded refunds for the auditor program', async () => {
  const { paymentId, intentId } = await givenPayment();
  const refund = (amount: number) =>
    stripe.sdk.refunds.create({ payment_intent: intentId, amount });
  const done = await refund(100);
  await stripe.tell('/__sandbox/refunds', { next: 'pending', times: 2 });
  const [later, never] = [await refund(50), await refund(25)];
  await stripe.tell('/__sandbox/refunds', { next: 'failed' });
  await refund(1);
  const line = ({ id, amount }: { id: string; amount: number }) =>
    `${paymentId}|${intentId}|${id}|${amount}|usd`;
  expect(await refundsNow()).toEqual(sorted([line(done)]));

  await stripe.tell(`/__sandbox/refunds/${later.id}/settle`, { status: 'succeeded' });
  await stripe.tell(`/__sandbox/refunds/${never.id}/settle`, { status: 'failed' });
  expect(await refundsNow()).toEqual(sorted([line(done), line(later)]));

  await stripe.tell(`/__sandbox/refunds/${done.id}/settle`, { status: 'failed' });
  expect(await refundsNow()).toEqual(sorted([line(later)]));
});

test('the Stripe sandbox lists a refund for the auditor program under the refundId of its metadata', async () => {
  const { paymentId, intentId } = await givenPayment();
  await stripe.tell('/__sandbox/refunds', { next: 'pending' });
  const metadata = { refundId: 'ours' };
  const { id } = await stripe.sdk.refunds.create({ payment_intent: intentId, metadata });
  await stripe.tell(`/__sandbox/refunds/${id}/settle`, { status: 'succeeded' });

  expect(await refundsNow()).toEqual(sorted([`${paymentId}|${intentId}|ours|499|usd`]));
});

test('the Stripe sandbox lists disputes for the auditor program with their current status', async () => {
  const { paymentId, intentId } = await givenPayment();
  const { id } = await tellDispute(stripe, '', { paymentIntent: intentId, stage: 'warning' });
  const line = (status: string) => `${paymentId}|${intentId}|${id}|${status}|499|usd`;
  const audited = () => auditedIn(stripe, 'disputes');
  expect(await audited()).toEqual(sorted([line('warning_needs_response')]));

  for (const [stage, status] of [
    ['open', 'needs_response'],
    ['lost', 'lost'],
    ['won', 'won'],
  ] as const) {
    await tellDispute(stripe, `/${id}`, { stage });
    expect(await audited()).toEqual(sorted([line(status)]));
  }
});

test('the Stripe sandbox finds charges, refunds and disputes by payment id and by a range of payment ids', async () => {
  const { paymentId, intentId } = await givenPayment();
  await stripe.sdk.refunds.create({ payment_intent: intentId, amount: 1 });
  await tellDispute(stripe, '', { paymentIntent: intentId, stage: 'open' });

  for (const kind of ['charges', 'refunds', 'disputes']) {
    const found = [{ paymentId, currency: 'usd' }];
    expect(
      await stripe.get(`/__sandbox/${kind}?from=${paymentId}&until=${paymentId}0`),
    ).toMatchObject({
      [kind]: found,
      next: null,
    });
    expect(await stripe.get(`/__sandbox/${kind}?paymentId=${paymentId}`)).toMatchObject({
      [kind]: found,
    });
    expect(
      await stripe.get(`/__sandbox/${kind}?from=${paymentId}0&until=${paymentId}1`),
    ).toMatchObject({ [kind]: [] });
  }
});

test('the Stripe sandbox lists a charge without a payment id before all others', async () => {
  await givenPaidSession(stripe, { metadata: {}, payment_intent_data: {} });

  expect(await stripe.get('/__sandbox/charges?from=&until=0')).toMatchObject({
    charges: [{ paymentId: null, amount: 499 }],
  });
});

test.each([
  ['sessions', 3],
  ['charges', 3],
  ['balanceTransactions', 3],
  ['events', 9],
])(
  'the Stripe sandbox lists all %s for the auditor program page by page, each once',
  async (kind, count) => {
    for (const _more of [1, 2, 3]) await givenPaidSession(stripe);

    const seen: number[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const page = await recordsAfter(kind, after);
      expect(page.records.length).toBeLessThanOrEqual(2);
      seen.push(...page.records.map(({ seq }) => seq));
      after = page.next;
    }

    expect(seen).toHaveLength(count);
    expect(new Set(seen).size).toBe(count);
  },
);

test('one call to the control API of the Stripe sandbox pays many sessions and returns the outcome of each', async () => {
  const open = await Promise.all(Array.from({ length: 10 }, () => givenSession(stripe)));
  const ids = open.map(({ id }) => id);
  const paid = await givenPaidSession(stripe);
  await stripe.sdk.checkout.sessions.expire(ids[9] ?? '');

  const answer = await stripe.tell('/__sandbox/sessions/pay', {
    ids: [...ids, paid.sessionId, 'cs_test_none'],
  });

  expect(answer).toEqual({
    sessions: [
      ...ids.slice(0, 9).map((id) => ({
        id,
        outcome: 'paid',
        paymentIntent: expect.stringMatching(/^pi_/),
      })),
      { id: ids[9], outcome: 'expired', paymentIntent: null },
      { id: paid.sessionId, outcome: 'already_paid', paymentIntent: paid.intentId },
      { id: 'cs_test_none', outcome: 'not_found', paymentIntent: null },
    ],
  });
  expect((await stripe.records()).counts).toMatchObject({ charges: 10, events: 31 });
});

async function givenPayment(): Promise<{ paymentId: string; intentId: string }> {
  const paymentId = crypto.randomUUID();
  const { intentId } = await givenPaidSession(stripe, {
    payment_intent_data: { metadata: { paymentId } },
  });
  return { paymentId, intentId };
}

async function refundsNow(): Promise<unknown> {
  return await auditedIn(stripe, 'refunds');
}

async function recordsAfter(kind: string, after: number) {
  // The sandbox is part of this project, and the test checks every field that it uses.
  const answer = await stripe.get(`/__sandbox/records/${kind}?limit=2&after=${after}`);
  return answer as { records: { seq: number }[]; next: number | null };
}
