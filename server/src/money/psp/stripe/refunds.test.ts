import { randomUUID } from 'node:crypto';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { letGo, untilHangs } from '../../../../test/hanging.ts';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider, RefundRequest } from '../psp.ts';
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

const create = 'POST /v1/refunds';
const list = 'GET /v1/refunds';
const usd = (amountMinor: bigint) => ({ amountMinor, currency: 'USD' }) as const;

async function refundsOf(captureId: string) {
  const { refunds } = await world.records();
  return refunds.filter(({ payment_intent }) => payment_intent === captureId);
}

async function truthOf(pspRef: string, asked = provider) {
  const truth = await asked.queryPayment(paymentAt(pspRef));
  if (truth.outcome !== 'ok') throw new Error(JSON.stringify(truth));
  return truth;
}

/** Refunds as Stripe's dashboard does, without our refund id. */
const refundThere = (captureId: string, form: Record<string, string> = {}) =>
  world.post('/v1/refunds', { payment_intent: captureId, ...form });

const planRefunds = (next: string, times = 1) =>
  world.outsider.tell('/__sandbox/refunds', { next, times });

describe('Stripe refunds', () => {
  test('the Stripe adapter sends a refund with the exact amount, the payment reference and the refund id', async () => {
    const { captureId, reference, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });

    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toMatchObject([
      {
        amount: 200,
        currency: 'usd',
        payment_intent: captureId,
        metadata: { ...reference, refundId: request.refundId },
      },
    ]);
  });

  test.each<[RefundRequest['reason'], string]>([
    ['duplicate', 'duplicate'],
    ['fraud', 'fraudulent'],
    ['other', 'requested_by_customer'],
  ])('the Stripe adapter sends the refund reason %s to Stripe as %s', async (reason, theirs) => {
    const { captureId, refundRequest } = await world.givenPayment();
    await provider.refund(refundRequest({ reason }));
    expect(await refundsOf(captureId)).toMatchObject([{ reason: theirs }]);
  });

  test('the Stripe adapter refunds a payment in parts until nothing is left and reports a further refund as rejected', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const done = { outcome: 'accepted', state: 'done' };
    expect(await provider.refund(refundRequest({ money: usd(400n) }))).toEqual(done);
    expect(await provider.refund(refundRequest({ money: usd(99n) }))).toEqual(done);
    expect(await provider.refund(refundRequest({ money: usd(1n) }))).toEqual({
      outcome: 'rejected',
      code: 'charge_already_refunded',
    });
    expect(await refundsOf(captureId)).toHaveLength(2);
  });

  test('the Stripe adapter reports a refund above the remaining amount as rejected', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    expect(await provider.refund(refundRequest({ money: usd(500n) }))).toEqual({
      outcome: 'rejected',
      code: 'amount_too_large',
    });
    expect(await refundsOf(captureId)).toEqual([]);
  });

  test('the Stripe adapter reports a refund of zero as rejected with parameter_invalid_integer', async () => {
    const { refundRequest } = await world.givenPayment();
    expect(await provider.refund(refundRequest({ money: usd(0n) }))).toEqual({
      outcome: 'rejected',
      code: 'parameter_invalid_integer',
    });
  });

  test('the Stripe adapter reports a refund as rejected while the charge is disputed', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' });
    expect(await provider.refund(refundRequest())).toEqual({
      outcome: 'rejected',
      code: 'charge_disputed',
    });
  });

  test('the Stripe adapter reports a refund of a payment that does not exist as rejected', async () => {
    const { refundRequest } = await world.givenPayment();
    expect(await provider.refund(refundRequest({ captureId: 'pi_none' }))).toEqual({
      outcome: 'rejected',
      code: 'resource_missing',
    });
  });

  test('the Stripe adapter reports a refund of a payment whose card was declined as rejected', async () => {
    const { refundRequest } = await world.givenPayment();
    const { pspRef } = await world.givenPage();
    await fetch(`${world.outsider.url}/c/pay/${pspRef}/decline`, { method: 'POST' });
    const { sessions } = await world.records();
    const captureId = sessions.find(({ id }) => id === pspRef)?.payment_intent ?? '';
    expect(await provider.refund(refundRequest({ captureId }))).toEqual({
      outcome: 'rejected',
      code: 'StripeInvalidRequestError',
    });
  });

  test('the Stripe adapter throws an error for a refund of an amount above the safe integer range', async () => {
    const { refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(9_007_199_254_740_993n) });
    await expect(provider.refund(request)).rejects.toThrow('does not fit');
  });

  test.each([
    ['pending', 'pending'],
    ['failed', 'returned'],
  ])('the Stripe adapter reports a refund that is %s at the bank as %s', async (next, state) => {
    const { refundRequest } = await world.givenPayment();
    await planRefunds(next);
    expect(await provider.refund(refundRequest())).toEqual({ outcome: 'accepted', state });
  });
});

describe('Stripe refund retries', () => {
  test('a Stripe refund requested twice through the adapter is made once', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    const first = await provider.refund(request);
    expect(await provider.refund(request)).toEqual(first);
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('a Stripe refund requested twice at the same time through the adapter is made once', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    // Both look for an earlier refund before either sends one.
    const match = 'GET /v1/refunds';
    await world.outsider.tell('/__sandbox/faults', { match, kind: 'hang', times: 2 });
    const refunding = Promise.all([provider.refund(request), provider.refund(request)]);
    await untilHangs(world.outsider);
    await letGo(world.outsider);
    await refunding;
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('a Stripe refund that the adapter repeats after its idempotency key has expired is made once', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 25 * 3600 });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('the Stripe adapter answers a repeated refund request with the current state of the refund', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest();
    await planRefunds('pending');
    await provider.refund(request);
    const [made] = await refundsOf(captureId);
    await world.outsider.tell(`/__sandbox/refunds/${made?.id}/settle`, { status: 'failed' });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'returned' });
  });

  test('the Stripe adapter reports a refund id reused for another amount as unknown', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    expect(await provider.refund({ ...request, money: usd(100n) })).toMatchObject({
      outcome: 'unknown',
    });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });
});

describe('Stripe refunds without a clear answer', () => {
  test.each(silences)(
    'a Stripe refund answered by %s and retried through the adapter is made once',
    async (_what, kind, more) => {
      const { captureId, refundRequest } = await world.givenPayment();
      const request = refundRequest({ money: usd(200n) });
      await world.fault(create, kind, { ...more, stored: false });
      const first = await provider.refund(request);
      expect(first.outcome).toBe(kind.includes('after') ? 'accepted' : 'unknown');
      expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
      expect(await refundsOf(captureId)).toHaveLength(1);
    },
  );

  test('the Stripe adapter reports a refund that Stripe made before answering HTTP 500 as accepted, because the refund list has it', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest();
    await planRefunds('pending');
    await world.fault(create, 'http500_after_commit');
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'pending' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('the Stripe adapter reports a refund lost in an HTTP 500 as unknown until its idempotency key expires, and makes it then', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest();
    await world.fault(create, 'http500_before');
    expect(await provider.refund(request)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.refund(request)).toMatchObject({ outcome: 'unknown' });
    expect(await refundsOf(captureId)).toEqual([]);

    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 25 * 3600 });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test.each(silences)(
    'the Stripe adapter does not send a refund when the list of earlier refunds is answered by %s',
    async (...silence) => {
      const [, kind, more] = silence;
      const { captureId, refundRequest } = await world.givenPayment();
      await world.fault(list, kind, more);
      expect(await provider.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
      expect(await refundsOf(captureId)).toEqual([]);
    },
  );

  test('the Stripe adapter reports the failed refund request as the cause when the refund list cannot be read either', async () => {
    const { refundRequest } = await world.givenPayment();
    await world.fault(create, 'http500_before');
    meddler.change(list, {}, { object: 'no list' });
    expect(await proxied.refund(refundRequest())).toEqual({
      outcome: 'unknown',
      cause: 'StripeAPIError',
    });
    meddler.verify();
  });

  test('the Stripe adapter reports a refund with a bad API key as unknown, and none is made', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const stranger = openAt(world.outsider.url, 'sk_wrong');
    expect(await stranger.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
    expect(await refundsOf(captureId)).toEqual([]);
  });

  const strangeRefunds: [string, Record<string, unknown>][] = [
    ['of another payment', { payment_intent: 'pi_other' }],
    ['of another amount', { amount: 1 }],
    ['in another currency', { currency: 'eur' }],
    ['with an unknown status', { status: 'lost_at_sea' }],
    ['without a status', { status: null }],
    ['with another object type', { object: 'charge' }],
    ['without an object type', { object: undefined }],
    ['without an id', { id: '' }],
  ];

  test.each(strangeRefunds)(
    'the Stripe adapter takes the state of a refund from the refund list when its request is answered with a refund %s',
    async (_what, changes) => {
      const { refundRequest } = await world.givenPayment();
      await planRefunds('pending');
      meddler.change(create, changes);
      expect(await proxied.refund(refundRequest())).toEqual({
        outcome: 'accepted',
        state: 'pending',
      });
      meddler.verify();
    },
  );

  test.each(strangeRefunds)(
    'the Stripe adapter reports a refund request answered with a refund %s as unknown when the refund list is empty',
    async (_what, changes) => {
      const { refundRequest } = await world.givenPayment();
      meddler.change(create, changes);
      meddler.change(list, {}, { data: [] });
      expect(await proxied.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    },
  );
});

describe('refunds in a Stripe query', () => {
  test('the Stripe adapter lists refunds by the shop under the shop’s refund ids and refunds made outside the shop under Stripe’s ids', async () => {
    const { pspRef, captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    await refundThere(captureId, { amount: '30' });

    expect(await truthOf(pspRef)).toMatchObject({
      status: 'complete',
      captures: [{ captureId, money: usd(499n) }],
    });
    expect((await truthOf(pspRef)).refunds).toEqual([
      { refundId: request.refundId, isOurs: true, captureId, money: usd(200n), state: 'done' },
      {
        refundId: expect.stringMatching(/^re_/),
        isOurs: false,
        captureId,
        money: usd(30n),
        state: 'done',
      },
    ]);
  });

  test.each<[CurrencyCode]>([['JPY'], ['EUR']])(
    'the Stripe adapter reports a refund in %s with its exact amount and currency',
    async (currency) => {
      const money = { amountMinor: 648n, currency };
      const { pspRef, refundRequest } = await world.givenPayment({ money });
      await provider.refund(refundRequest());
      expect((await truthOf(pspRef)).refunds).toMatchObject([{ money }]);
    },
  );

  test('the Stripe adapter reports a refund without a valid refund id in its metadata as made outside the shop', async () => {
    const { pspRef, captureId } = await world.givenPayment();
    await refundThere(captureId, { 'metadata[refundId]': 'as told on the phone' });
    expect((await truthOf(pspRef)).refunds).toMatchObject([
      { isOurs: false, refundId: expect.stringMatching(/^re_/) },
    ]);
  });

  test('the Stripe adapter lists a second refund with the same refund id separately, as made outside the shop', async () => {
    const { pspRef, captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    await refundThere(captureId, { amount: '150', 'metadata[refundId]': request.refundId });

    expect((await truthOf(pspRef)).refunds).toMatchObject([
      { isOurs: true, refundId: request.refundId, money: usd(200n) },
      { isOurs: false, refundId: expect.stringMatching(/^re_/), money: usd(150n) },
    ]);
  });

  test('the Stripe adapter reports all 201 refunds of a queried payment, from several pages of the refund list', async () => {
    const { pspRef, captureId } = await world.givenPayment();
    for (let count = 0; count < 201; count += 1) await refundThere(captureId, { amount: '1' });
    const { refunds } = await truthOf(pspRef);
    expect(new Set(refunds.map(({ refundId }) => refundId)).size).toBe(201);
  });

  test.each([
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['succeeded', 'done'],
    ['failed', 'returned'],
    ['canceled', 'returned'],
  ])(
    'the Stripe adapter maps the Stripe refund status %s to the refund state %s',
    async (status, state) => {
      const { pspRef, captureId } = await world.givenPayment();
      await refundThere(captureId);
      meddler.change(list, { 'data.0.status': status });
      expect((await truthOf(pspRef, proxied)).refunds).toMatchObject([{ state }]);
      meddler.verify();
    },
  );

  test('the Stripe adapter reports a completed refund that the bank sends back as returned', async () => {
    const { pspRef, captureId, refundRequest } = await world.givenPayment();
    await provider.refund(refundRequest());
    const [made] = await refundsOf(captureId);
    await world.outsider.tell(`/__sandbox/refunds/${made?.id}/settle`, { status: 'failed' });
    expect((await truthOf(pspRef)).refunds).toMatchObject([{ state: 'returned' }]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['with an unknown status', { 'data.0.status': 'lost_at_sea' }],
    ['without a status', { 'data.0.status': null }],
    ['in an unsupported currency', { 'data.0.currency': 'xxx' }],
    ['with a fractional amount', { 'data.0.amount': 1.5 }],
    ['with a negative amount', { 'data.0.amount': -1 }],
    ['of another payment', { 'data.0.payment_intent': 'pi_other' }],
    ['of no payment', { 'data.0.payment_intent': null }],
    ['with another object type', { 'data.0.object': 'charge' }],
    ['without an object type', { 'data.0.object': undefined }],
    ['without an id', { 'data.0.id': '' }],
  ])(
    'the Stripe adapter reports a payment query as unknown when the list of its refunds contains a refund %s',
    async (_what, changes) => {
      const { pspRef, captureId } = await world.givenPayment();
      await refundThere(captureId);
      meddler.change(list, changes);
      expect(await proxied.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    },
  );

  test.each<[string, Record<string, unknown>]>([
    ['with another object type', { object: 'refund' }],
    ['without entries', { data: null }],
    ['without has_more', { has_more: null }],
    ['with an empty page that is not the last', { data: [], has_more: true }],
  ])(
    'the Stripe adapter reports a payment query as unknown when Stripe answers with a refund list %s',
    async (_what, changes) => {
      const { pspRef } = await world.givenPayment();
      meddler.change(list, changes);
      expect(await proxied.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    },
  );

  test('the Stripe adapter reports a payment query as unknown when Stripe’s refund list never ends', async () => {
    const { pspRef, captureId } = await world.givenPayment();
    await refundThere(captureId, { amount: '1' });
    const { refunds } = await world.records();
    const page = { data: refunds.slice(0, 1), has_more: true };
    meddler.change(list, ...Array.from({ length: 50 }, () => page));
    expect(await proxied.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    meddler.verify();
  });

  test.each(silences)(
    'the Stripe adapter reports a payment query as unknown when the refund list is answered by %s',
    async (_what, kind, more) => {
      const { pspRef } = await world.givenPayment();
      await world.fault(list, kind, more);
      expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the Stripe adapter does not request the refund list when it queries an unpaid session', async () => {
    const { pspRef } = await world.givenPage();
    await world.fault(list, 'http500_before');
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
      outcome: 'ok',
      refunds: [],
    });
  });
});

describe('finding a Stripe capture', () => {
  const find = 'GET /v1/payment_intents/:id';

  test("the Stripe adapter looks up a capture by its id and returns the shop's reference of the payment", async () => {
    const { captureId, reference } = await world.givenPayment();
    expect(await provider.findCapture(captureId)).toEqual({ outcome: 'ok', reference });
  });

  test('the Stripe adapter reports a capture id that Stripe does not know as not_found', async () => {
    expect(await provider.findCapture('pi_none')).toEqual({ outcome: 'not_found' });
  });

  test('the Stripe adapter reports a capture without the shop’s metadata as not_found', async () => {
    const { captureId } = await world.givenPayment();
    const intent = `GET /v1/payment_intents/${captureId}`;
    meddler.change(intent, { metadata: {} });
    expect(await proxied.findCapture(captureId)).toEqual({ outcome: 'not_found' });
    meddler.change(intent, { 'metadata.paymentId': randomUUID().slice(1) });
    expect(await proxied.findCapture(captureId)).toEqual({ outcome: 'not_found' });
    meddler.verify();
  });

  test.each<[string, Record<string, unknown>]>([
    ['another payment intent', { id: 'pi_other' }],
    ['another object type', { object: 'charge' }],
    ['no object type', { object: undefined }],
    ['a payment intent without metadata', { metadata: null }],
  ])(
    'the Stripe adapter reports the lookup of a capture by its id as unknown when it is answered with %s',
    async (_what, changes) => {
      const { captureId } = await world.givenPayment();
      meddler.change(`GET /v1/payment_intents/${captureId}`, changes);
      expect(await proxied.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    },
  );

  test.each(silences)(
    'the Stripe adapter reports the lookup of a capture by its id as unknown when it is answered by %s',
    async (_what, kind, more) => {
      const { captureId } = await world.givenPayment();
      await world.fault(find, kind, more);
      expect(await provider.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
    },
  );
});
