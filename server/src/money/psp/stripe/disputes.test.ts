import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import { type Meddler, startMeddler } from '../test/meddler.ts';
import {
  openAt,
  paymentAt,
  type StripeWorld,
  silences,
  startStripeWorld,
} from '../test/stripe-world.ts';

let world: StripeWorld;
let provider: PaymentProvider;
let meddler: Meddler;
/** Hears what the meddler makes of it. */
let misled: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startStripeWorld();
  provider = world.provider;
  meddler = await startMeddler(world.outsider.url);
  misled = openAt(meddler.url);
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(async () => {
  await meddler.stop();
  await world.outsider.stop();
});

const list = 'GET /v1/disputes';

async function givenDispute(stage: 'warning' | 'open', amount = 499) {
  const payment = await world.givenPayment();
  const { id } = z.looseObject({ id: z.string() }).parse(
    await world.outsider.tell('/__sandbox/disputes', {
      paymentIntent: payment.captureId,
      amount,
      stage,
    }),
  );
  const move = (next: string) => world.outsider.tell(`/__sandbox/disputes/${id}`, { stage: next });
  return { ...payment, disputeId: id, move };
}

async function disputesAt(pspRef: string, asked = provider) {
  const truth = await asked.queryPayment(paymentAt(pspRef));
  if (truth.outcome !== 'ok') throw new Error(JSON.stringify(truth));
  return truth.disputes;
}

test('a dispute says which payment it is about and how much is at stake', async () => {
  const { pspRef, captureId, disputeId } = await givenDispute('open', 200);
  expect(await disputesAt(pspRef)).toEqual([
    { disputeId, captureId, money: { amountMinor: 200n, currency: 'USD' }, stage: 'open' },
  ]);
});

test('a dispute is followed from the first question to the last word', async () => {
  const { pspRef, move } = await givenDispute('warning');
  expect(await disputesAt(pspRef)).toMatchObject([{ stage: 'warning' }]);
  for (const stage of ['open', 'lost', 'won']) {
    await move(stage);
    expect(await disputesAt(pspRef)).toMatchObject([{ stage }]);
  }
});

test('a question that the bank lets go of is as good as won', async () => {
  const { pspRef, move } = await givenDispute('warning');
  await move('warning_closed');
  expect(await disputesAt(pspRef)).toMatchObject([{ stage: 'won' }]);
});

test('every dispute about a payment is told', async () => {
  const { pspRef, captureId, disputeId, move } = await givenDispute('warning', 100);
  await move('warning_closed');
  await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' });
  const disputes = await disputesAt(pspRef);
  expect(disputes).toHaveLength(2);
  expect(disputes).toContainEqual(expect.objectContaining({ disputeId, stage: 'won' }));
  expect(disputes).toContainEqual(expect.objectContaining({ stage: 'open' }));
});

test('the disputes of others are not told', async () => {
  await givenDispute('open');
  const { pspRef } = await world.givenPayment();
  expect(await disputesAt(pspRef)).toEqual([]);
});

test.each([
  ['warning_needs_response', 'warning'],
  ['warning_under_review', 'warning'],
  ['warning_closed', 'won'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['appeal_needs_response', 'open'],
  ['appeal_under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
])('%s in the words of the provider is %s', async (status, stage) => {
  const { pspRef } = await givenDispute('open');
  meddler.change(list, { 'data.0.status': status });
  expect(await disputesAt(pspRef, misled)).toMatchObject([{ stage }]);
  meddler.verify();
});

test.each<[string, { amount: number }[], string]>([
  ['no money moved', [], 'won'],
  ['the payer was paid', [{ amount: -499 }], 'lost'],
  ['the payer was paid and the money came back', [{ amount: -499 }, { amount: 499 }], 'won'],
])('of a dispute that was prevented, where %s, the money tells', async (_what, moved, stage) => {
  const { pspRef } = await givenDispute('open');
  meddler.change(list, { 'data.0.status': 'prevented', 'data.0.balance_transactions': moved });
  expect(await disputesAt(pspRef, misled)).toMatchObject([{ stage }]);
  meddler.verify();
});

test.each<[string, Record<string, unknown>]>([
  ['at a stage nobody knows', { 'data.0.status': 'in_space' }],
  ['about money in a currency nobody knows', { 'data.0.currency': 'xxx' }],
  ['about a part of a cent', { 'data.0.amount': 0.5 }],
  ['about another payment', { 'data.0.payment_intent': 'pi_other' }],
  ['about no payment', { 'data.0.payment_intent': null }],
  ['that is something else', { 'data.0.object': 'refund' }],
  ['that does not say what it is', { 'data.0.object': undefined }],
  ['without an id', { 'data.0.id': '' }],
  ['that does not say what money moved', { 'data.0.balance_transactions': null }],
  ['that moved a part of a cent', { 'data.0.balance_transactions': [{ amount: 0.5 }] }],
])('a dispute %s makes the payment unknown, not undisputed', async (_what, changes) => {
  const { pspRef } = await givenDispute('open');
  meddler.change(list, changes);
  expect(await misled.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  meddler.verify();
});

test.each(silences)('%s makes the payment unknown', async (_what, kind, more) => {
  const { pspRef } = await givenDispute('open');
  await world.fault(list, kind, more);
  expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
});

test('a page that was not paid is not asked about', async () => {
  const { pspRef } = await world.givenPage();
  await world.fault(list, 'http500_before');
  expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
    outcome: 'ok',
    disputes: [],
  });
});
