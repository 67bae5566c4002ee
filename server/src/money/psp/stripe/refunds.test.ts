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

/** As in the provider's own dashboard, where nobody knows our ids. */
const refundThere = (captureId: string, form: Record<string, string> = {}) =>
  world.post('/v1/refunds', { payment_intent: captureId, ...form });

const planRefunds = (next: string, times = 1) =>
  world.outsider.tell('/__sandbox/refunds', { next, times });

describe('sending money back', () => {
  test('sends exactly this amount and says whose it is', async () => {
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
  ])('because of %s is %s in the words of the provider', async (reason, theirs) => {
    const { captureId, refundRequest } = await world.givenPayment();
    await provider.refund(refundRequest({ reason }));
    expect(await refundsOf(captureId)).toMatchObject([{ reason: theirs }]);
  });

  test('in parts works until nothing is left', async () => {
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

  test('is rejected where more is asked for than is left', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    expect(await provider.refund(refundRequest({ money: usd(500n) }))).toEqual({
      outcome: 'rejected',
      code: 'amount_too_large',
    });
    expect(await refundsOf(captureId)).toEqual([]);
  });

  test('is rejected for a reason of its own where the amount is none at all', async () => {
    const { refundRequest } = await world.givenPayment();
    expect(await provider.refund(refundRequest({ money: usd(0n) }))).toEqual({
      outcome: 'rejected',
      code: 'parameter_invalid_integer',
    });
  });

  test('is rejected while the payer’s bank has the money', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' });
    expect(await provider.refund(refundRequest())).toEqual({
      outcome: 'rejected',
      code: 'charge_disputed',
    });
  });

  test('is rejected where there is no such payment', async () => {
    const { refundRequest } = await world.givenPayment();
    expect(await provider.refund(refundRequest({ captureId: 'pi_none' }))).toEqual({
      outcome: 'rejected',
      code: 'resource_missing',
    });
  });

  test('is rejected where the payer’s card was declined and nothing was paid', async () => {
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

  test('refuses an amount that the wire would round', async () => {
    const { refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(9_007_199_254_740_993n) });
    await expect(provider.refund(request)).rejects.toThrow('does not fit');
  });

  test.each([
    ['pending', 'pending'],
    ['failed', 'returned'],
  ])('says that the bank leaves it %s', async (next, state) => {
    const { refundRequest } = await world.givenPayment();
    await planRefunds(next);
    expect(await provider.refund(refundRequest())).toEqual({ outcome: 'accepted', state });
  });
});

describe('sending the same money back twice', () => {
  test('sends it once', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    const first = await provider.refund(request);
    expect(await provider.refund(request)).toEqual(first);
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('sends it once when both are asked for at the same time', async () => {
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

  test('sends it once although the provider has forgotten the key after a day', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 25 * 3600 });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('tells the second time what has become of it since', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest();
    await planRefunds('pending');
    await provider.refund(request);
    const [made] = await refundsOf(captureId);
    await world.outsider.tell(`/__sandbox/refunds/${made?.id}/settle`, { status: 'failed' });
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'returned' });
  });

  test('is unknown where the id stands for another amount', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    expect(await provider.refund({ ...request, money: usd(100n) })).toMatchObject({
      outcome: 'unknown',
    });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });
});

describe('a refund that gets no answer', () => {
  test.each(silences)('is asked for again and made once after %s', async (_what, kind, more) => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await world.fault(create, kind, { ...more, stored: false });
    const first = await provider.refund(request);
    expect(first.outcome).toBe(kind.includes('after') ? 'accepted' : 'unknown');
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('is found although its key will only ever answer with a 500', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest();
    await planRefunds('pending');
    await world.fault(create, 'http500_after_commit');
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'pending' });
    expect(await refundsOf(captureId)).toHaveLength(1);
  });

  test('stays unknown where the 500 came first, and is made when the key is forgotten', async () => {
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
    'is not even asked for after %s to the question before',
    async (...silence) => {
      const [, kind, more] = silence;
      const { captureId, refundRequest } = await world.givenPayment();
      await world.fault(list, kind, more);
      expect(await provider.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
      expect(await refundsOf(captureId)).toEqual([]);
    },
  );

  test('keeps its cause where nobody can tell whether it was made', async () => {
    const { refundRequest } = await world.givenPayment();
    await world.fault(create, 'http500_before');
    meddler.change(list, {}, { object: 'no list' });
    expect(await misled.refund(refundRequest())).toEqual({
      outcome: 'unknown',
      cause: 'StripeAPIError',
    });
    meddler.verify();
  });

  test('is unknown to one who may not ask', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const stranger = openAt(world.outsider.url, 'sk_wrong');
    expect(await stranger.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
    expect(await refundsOf(captureId)).toEqual([]);
  });

  describe.each<[string, Record<string, unknown>]>([
    ['of another payment', { payment_intent: 'pi_other' }],
    ['of another amount', { amount: 1 }],
    ['in another currency', { currency: 'eur' }],
    ['in a state nobody knows', { status: 'lost_at_sea' }],
    ['in no state', { status: null }],
    ['that is no refund', { object: 'charge' }],
    ['that does not say what it is', { object: undefined }],
    ['without an id', { id: '' }],
  ])('but is told of one %s', (_what, changes) => {
    test('is what the list of refunds says', async () => {
      const { refundRequest } = await world.givenPayment();
      await planRefunds('pending');
      meddler.change(create, changes);
      expect(await misled.refund(refundRequest())).toEqual({
        outcome: 'accepted',
        state: 'pending',
      });
      meddler.verify();
    });

    test('is unknown where the list does not say either', async () => {
      const { refundRequest } = await world.givenPayment();
      meddler.change(create, changes);
      meddler.change(list, {}, { data: [] });
      expect(await misled.refund(refundRequest())).toMatchObject({ outcome: 'unknown' });
      meddler.verify();
    });
  });
});

describe('what a query tells of refunds', () => {
  test('ours bear our id, others their own, each with its amount', async () => {
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

  test.each<[CurrencyCode]>([['JPY'], ['EUR']])('amounts are in %s', async (currency) => {
    const money = { amountMinor: 648n, currency };
    const { pspRef, refundRequest } = await world.givenPayment({ money });
    await provider.refund(refundRequest());
    expect((await truthOf(pspRef)).refunds).toMatchObject([{ money }]);
  });

  test('an id that is not one of ours makes it nobody’s', async () => {
    const { pspRef, captureId } = await world.givenPayment();
    await refundThere(captureId, { 'metadata[refundId]': 'as told on the phone' });
    expect((await truthOf(pspRef)).refunds).toMatchObject([
      { isOurs: false, refundId: expect.stringMatching(/^re_/) },
    ]);
  });

  test('a second one under the same id does not hide behind the first', async () => {
    const { pspRef, captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: usd(200n) });
    await provider.refund(request);
    await refundThere(captureId, { amount: '150', 'metadata[refundId]': request.refundId });

    expect((await truthOf(pspRef)).refunds).toMatchObject([
      { isOurs: true, refundId: request.refundId, money: usd(200n) },
      { isOurs: false, refundId: expect.stringMatching(/^re_/), money: usd(150n) },
    ]);
  });

  test('all of them, however many pages they fill', async () => {
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
  ])('one that is %s at the provider is %s', async (status, state) => {
    const { pspRef, captureId } = await world.givenPayment();
    await refundThere(captureId);
    meddler.change(list, { 'data.0.status': status });
    expect((await truthOf(pspRef, misled)).refunds).toMatchObject([{ state }]);
    meddler.verify();
  });

  test('one that was done and came back from the bank has returned', async () => {
    const { pspRef, captureId, refundRequest } = await world.givenPayment();
    await provider.refund(refundRequest());
    const [made] = await refundsOf(captureId);
    await world.outsider.tell(`/__sandbox/refunds/${made?.id}/settle`, { status: 'failed' });
    expect((await truthOf(pspRef)).refunds).toMatchObject([{ state: 'returned' }]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['with a state nobody knows', { 'data.0.status': 'lost_at_sea' }],
    ['without a state', { 'data.0.status': null }],
    ['in a currency nobody knows', { 'data.0.currency': 'xxx' }],
    ['of a part of a cent', { 'data.0.amount': 1.5 }],
    ['of less than nothing', { 'data.0.amount': -1 }],
    ['of another payment', { 'data.0.payment_intent': 'pi_other' }],
    ['of no payment', { 'data.0.payment_intent': null }],
    ['that is something else', { 'data.0.object': 'charge' }],
    ['that does not say what it is', { 'data.0.object': undefined }],
    ['without an id', { 'data.0.id': '' }],
  ])('a refund %s makes the payment unknown, not unrefunded', async (_what, changes) => {
    const { pspRef, captureId } = await world.givenPayment();
    await refundThere(captureId);
    meddler.change(list, changes);
    expect(await misled.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    meddler.verify();
  });

  test.each<[string, Record<string, unknown>]>([
    ['that is no list', { object: 'refund' }],
    ['without entries', { data: null }],
    ['that does not say whether there is more', { has_more: null }],
    ['with an empty page before the next', { data: [], has_more: true }],
  ])('an answer %s makes the payment unknown', async (_what, changes) => {
    const { pspRef } = await world.givenPayment();
    meddler.change(list, changes);
    expect(await misled.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    meddler.verify();
  });

  test('a list without end makes the payment unknown', async () => {
    const { pspRef, captureId } = await world.givenPayment();
    await refundThere(captureId, { amount: '1' });
    const { refunds } = await world.records();
    const page = { data: refunds.slice(0, 1), has_more: true };
    meddler.change(list, ...Array.from({ length: 50 }, () => page));
    expect(await misled.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
    meddler.verify();
  });

  test.each(silences)('%s makes the payment unknown', async (_what, kind, more) => {
    const { pspRef } = await world.givenPayment();
    await world.fault(list, kind, more);
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({ outcome: 'unknown' });
  });

  test('a page that was not paid is not asked about', async () => {
    const { pspRef } = await world.givenPage();
    await world.fault(list, 'http500_before');
    expect(await provider.queryPayment(paymentAt(pspRef))).toMatchObject({
      outcome: 'ok',
      refunds: [],
    });
  });
});

describe('whose capture it is', () => {
  const find = 'GET /v1/payment_intents/:id';

  test('says the reference that we gave it', async () => {
    const { captureId, reference } = await world.givenPayment();
    expect(await provider.findCapture(captureId)).toEqual({ outcome: 'ok', reference });
  });

  test('one that does not exist is not found', async () => {
    expect(await provider.findCapture('pi_none')).toEqual({ outcome: 'not_found' });
  });

  test('one that somebody else took is not found', async () => {
    const { captureId } = await world.givenPayment();
    const intent = `GET /v1/payment_intents/${captureId}`;
    meddler.change(intent, { metadata: {} });
    expect(await misled.findCapture(captureId)).toEqual({ outcome: 'not_found' });
    meddler.change(intent, { 'metadata.paymentId': randomUUID().slice(1) });
    expect(await misled.findCapture(captureId)).toEqual({ outcome: 'not_found' });
    meddler.verify();
  });

  test.each<[string, Record<string, unknown>]>([
    ['another one', { id: 'pi_other' }],
    ['something else', { object: 'charge' }],
    ['nobody knows what', { object: undefined }],
    ['one that says nothing', { metadata: null }],
  ])('an answer about %s is unknown', async (_what, changes) => {
    const { captureId } = await world.givenPayment();
    meddler.change(`GET /v1/payment_intents/${captureId}`, changes);
    expect(await misled.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
    meddler.verify();
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    const { captureId } = await world.givenPayment();
    await world.fault(find, kind, more);
    expect(await provider.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
  });
});
