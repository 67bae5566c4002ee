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
/** An adapter connected through the proxy that changes replies. */
let proxied: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startStripeWorld();
  provider = world.provider;
  meddler = await startMeddler(world.outsider.url);
  proxied = openAt(meddler.url);
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

test('the Stripe adapter reports a dispute with its capture, its disputed amount and its stage', async () => {
  const { pspRef, captureId, disputeId } = await givenDispute('open', 200);
  expect(await disputesAt(pspRef)).toEqual([
    { disputeId, captureId, money: { amountMinor: 200n, currency: 'USD' }, stage: 'open' },
  ]);
});

test('the Stripe adapter reports each stage of a dispute: warning, open, lost and won', async () => {
  const { pspRef, move } = await givenDispute('warning');
  expect(await disputesAt(pspRef)).toMatchObject([{ stage: 'warning' }]);
  for (const stage of ['open', 'lost', 'won']) {
    await move(stage);
    expect(await disputesAt(pspRef)).toMatchObject([{ stage }]);
  }
});

test('the Stripe adapter reports an inquiry that is closed without a chargeback as a won dispute', async () => {
  const { pspRef, move } = await givenDispute('warning');
  await move('warning_closed');
  expect(await disputesAt(pspRef)).toMatchObject([{ stage: 'won' }]);
});

test('the Stripe adapter reports every dispute of a queried payment', async () => {
  const { pspRef, captureId, disputeId, move } = await givenDispute('warning', 100);
  await move('warning_closed');
  await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' });
  const disputes = await disputesAt(pspRef);
  expect(disputes).toHaveLength(2);
  expect(disputes).toContainEqual(expect.objectContaining({ disputeId, stage: 'won' }));
  expect(disputes).toContainEqual(expect.objectContaining({ stage: 'open' }));
});

test('the Stripe adapter reports no disputes of other payments for a queried payment', async () => {
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
])(
  'the Stripe adapter maps the Stripe dispute status %s to the dispute stage %s',
  async (status, stage) => {
    const { pspRef } = await givenDispute('open');
    meddler.change(list, { 'data.0.status': status });
    expect(await disputesAt(pspRef, proxied)).toMatchObject([{ stage }]);
    meddler.verify();
  },
);

test.each<[string, { amount: number }[], string]>([
  ['no money moved', [], 'won'],
  ['the payer was paid', [{ amount: -499 }], 'lost'],
  ['the payer was paid and the money was returned', [{ amount: -499 }, { amount: 499 }], 'won'],
])(
  'the Stripe adapter reports a prevented dispute as won or lost depending on the money moved: when %s',
  async (_what, moved, stage) => {
    const { pspRef } = await givenDispute('open');
    meddler.change(list, { 'data.0.status': 'prevented', 'data.0.balance_transactions': moved });
    expect(await disputesAt(pspRef, proxied)).toMatchObject([{ stage }]);
    meddler.verify();
  },
);

test.each<[string, Record<string, unknown>]>([
  ['with an unknown status', { 'data.0.status': 'in_space' }],
  ['in an unsupported currency', { 'data.0.currency': 'xxx' }],
  ['over a fractional amount', { 'data.0.amount': 0.5 }],
  ['about another payment', { 'data.0.payment_intent': 'pi_other' }],
  ['about no payment', { 'data.0.payment_intent': null }],
  ['with another object type', { 'data.0.object': 'refund' }],
  ['without an object type', { 'data.0.object': undefined }],
  ['without an id', { 'data.0.id': '' }],
  ['without balance transactions', { 'data.0.balance_transactions': null }],
  ['with a fractional balance transaction', { 'data.0.balance_transactions': [{ amount: 0.5 }] }],
])(
  'the Stripe adapter reports the query of a payment as unknown when Stripe lists a dispute %s for it',
  async (_what, changes) => {
    const { pspRef } = await givenDispute('open');
    meddler.change(list, changes);
    expect(await proxied.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    meddler.verify();
  },
);

test.each(silences)(
  'the Stripe adapter reports a payment query as unknown when the dispute list is answered by %s',
  async (_what, kind, more) => {
    const { pspRef } = await givenDispute('open');
    await world.fault(list, kind, more);
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  },
);

test('the Stripe adapter does not request the dispute list when it queries an unpaid session', async () => {
  const { pspRef } = await world.givenPage();
  await world.fault(list, 'http500_before');
  expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
    outcome: 'ok',
    disputes: [],
  });
});
