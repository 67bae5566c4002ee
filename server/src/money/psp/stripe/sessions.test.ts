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

// What a page has to look like before it is believed: the SDK takes anything without an `error` for it.

let world: StripeWorld;
let meddler: Meddler;
/** Hears what the meddler makes of it. */
let misled: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startStripeWorld();
  meddler = await startMeddler(world.outsider.url);
  misled = openAt(meddler.url);
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(async () => {
  await meddler.stop();
  await world.outsider.stop();
});

const create = 'POST /v1/checkout/sessions';

const strange: [string, Record<string, unknown>][] = [
  ['that does not say what it is', { object: undefined }],
  ['that is something else', { object: 'setup_intent' }],
  ['without an id', { id: undefined }],
  ['with an id of something else', { id: 'pi_1' }],
  ['that does not say whose it is', { metadata: {} }],
  ['that does not say whether it was paid', { payment_status: undefined }],
];

describe('a page that is opened', () => {
  test.each([...strange, ['that nobody can go to', { url: null }]])(
    'with an answer %s is unknown, neither open nor refused',
    async (_what, changes) => {
      meddler.change(create, changes);
      expect(await misled.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    },
  );

  test('with an answer as it should be is open, so that the others are refused for what is wrong', async () => {
    meddler.change(create, {});
    expect(await misled.createPayment(givenRequest())).toMatchObject({ outcome: 'created' });
    meddler.verify();
  });
});

describe('a page that is asked about', () => {
  async function truthWith(pspRef: string, changes: Record<string, unknown>) {
    meddler.change(`GET /v1/checkout/sessions/${pspRef}`, changes);
    const truth = await misled.queryPayment(paymentAt(pspRef));
    meddler.verify();
    return truth;
  }

  test.each(strange)(
    'with an answer %s is unknown, although it was paid',
    async (_what, changes) => {
      const { pspRef } = await world.givenPayment();
      expect(await truthWith(pspRef, changes)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test.each([
    ['a status nobody knows', { status: 'lost_at_sea' }],
    ['no status', { status: null }],
  ])('with %s is unknown, never over', async (_what, changes) => {
    const { pspRef } = await world.givenPage();
    expect(await truthWith(pspRef, changes)).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['is only held', { 'payment_intent.status': 'requires_capture' }],
    ['has a status nobody knows', { 'payment_intent.status': 'lost_at_sea' }],
    ['is not told of', { payment_intent: null }],
    ['is only named', { payment_intent: 'pi_1' }],
  ])('and was paid with money that %s is unknown, not paid', async (_what, changes) => {
    const { pspRef } = await world.givenPayment();
    expect(await truthWith(pspRef, changes)).toMatchObject({ outcome: 'unknown' });
  });

  test.each(['unpaid', 'processing_somewhere'])(
    'and is complete but %s waits for its money',
    async (payment_status) => {
      const { pspRef } = await world.givenPage();
      expect(await truthWith(pspRef, { status: 'complete', payment_status })).toMatchObject({
        ...{ outcome: 'ok', status: 'open', captures: [] },
      });
    },
  );
});

test.each([...strange, ['that says it is still open', { status: 'open' }]])(
  'a page that is closed with an answer %s may still be paid',
  async (_what, changes) => {
    const { pspRef } = await world.givenPage();
    meddler.change(`POST /v1/checkout/sessions/${pspRef}/expire`, changes);
    expect(await misled.closePayment(paymentAt(pspRef))).toEqual({ outcome: 'unknown' });
    meddler.verify();
  },
);
