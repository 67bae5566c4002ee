import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import { type Meddler, startMeddler } from '../test/meddler.ts';
import {
  givenRequest,
  openAt,
  paymentAt,
  type StripeWorld,
  startStripeWorld,
} from '../test/stripe-world.ts';

// The Stripe SDK accepts any reply without an `error` as a session, so the adapter checks each field.

let world: StripeWorld;
let meddler: Meddler;
/** An adapter connected through the proxy that changes replies. */
let proxied: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startStripeWorld();
  meddler = await startMeddler(world.outsider.url);
  proxied = openAt(meddler.url);
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(async () => {
  await meddler.stop();
  await world.outsider.stop();
});

const create = 'POST /v1/checkout/sessions';

const strange: [string, Record<string, unknown>][] = [
  ['without an object type', { object: undefined }],
  ['with another object type', { object: 'setup_intent' }],
  ['without an id', { id: undefined }],
  ['with the id of a payment intent', { id: 'pi_1' }],
  ['without our metadata', { metadata: {} }],
  ['without a payment status', { payment_status: undefined }],
];

describe('Stripe session create replies', () => {
  test.each([...strange, ['without a URL', { url: null }]])(
    'the Stripe adapter reports a payment creation answered with a session %s as unknown, neither created nor rejected',
    async (_what, changes) => {
      meddler.change(create, changes);
      expect(await proxied.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    },
  );

  test('the Stripe adapter reports a payment creation answered with a complete session as created', async () => {
    meddler.change(create, {});
    expect(await proxied.createPayment(givenRequest())).toMatchObject({ outcome: 'created' });
    meddler.verify();
  });
});

describe('Stripe session query replies', () => {
  async function truthWith(pspRef: string, changes: Record<string, unknown>) {
    meddler.change(`GET /v1/checkout/sessions/${pspRef}`, changes);
    const truth = await proxied.queryPayment(paymentAt(pspRef));
    meddler.verify();
    return truth;
  }

  test.each(strange)(
    'the Stripe adapter reports a payment query answered with a paid session %s as unknown',
    async (_what, changes) => {
      const { pspRef } = await world.givenPayment();
      expect(await truthWith(pspRef, changes)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test.each([
    ['an unknown status', { status: 'lost_at_sea' }],
    ['no status', { status: null }],
  ])(
    'the Stripe adapter reports a payment query answered with %s as unknown, never closed',
    async (_what, changes) => {
      const { pspRef } = await world.givenPage();
      expect(await truthWith(pspRef, changes)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test.each([
    ['a payment intent that is only authorized', { 'payment_intent.status': 'requires_capture' }],
    ['a payment intent in an unknown status', { 'payment_intent.status': 'lost_at_sea' }],
    ['no payment intent', { payment_intent: null }],
    ['a payment intent that is not expanded', { payment_intent: 'pi_1' }],
  ])(
    'the Stripe adapter reports a paid session with %s as unknown, not paid',
    async (_what, changes) => {
      const { pspRef } = await world.givenPayment();
      expect(await truthWith(pspRef, changes)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test.each(['unpaid', 'processing_somewhere'])(
    'the Stripe adapter reports a complete session with payment status %s as open without a capture',
    async (payment_status) => {
      const { pspRef } = await world.givenPage();
      expect(await truthWith(pspRef, { status: 'complete', payment_status })).toMatchObject({
        outcome: 'ok',
        status: 'open',
        captures: [],
      });
    },
  );
});

test.each([...strange, ['with the status open', { status: 'open' }]])(
  'the Stripe adapter reports closing a payment as unknown when Stripe answers with a session %s',
  async (_what, changes) => {
    const { pspRef } = await world.givenPage();
    meddler.change(`POST /v1/checkout/sessions/${pspRef}/expire`, changes);
    expect(await proxied.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'unknown' });
    meddler.verify();
  },
);
