import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import { casesOf } from '../../../test/money-back.ts';
import {
  atDesk,
  booksOf,
  brokenLinks,
  jobsOf,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop, webhookEvents } from '../../../test/shop.ts';
import {
  eventsAbout,
  inboxOf,
  jobsAbout,
  postWebhook,
  sessionEvent,
  signed,
} from '../../../test/webhooks.ts';
import { sql } from '../../platform/db.ts';
import type { PaymentProvider } from '../psp/psp.ts';
import { openPayment, providerOf } from './payments.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({
    LOG_LEVEL: 'silent',
    STRIPE_WEBHOOK_SECRETS: 'whsec_test,whsec_next',
    // Polling is off, so payments advance only through webhooks.
    PAYMENT_CHECK_SECONDS: '3600',
  });
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await shop.stripe.tell('/__sandbox/webhooks', { plan: {} });
  await shop.stripe.tell('/__sandbox/reset', {});
});
afterAll(() => shop.closeAll());

const plan = (webhookPlan: object) =>
  shop.stripe.tell('/__sandbox/webhooks', { plan: webhookPlan });

/** An order with an open payment page, its session id and its attempt. */
async function givenOpenPage() {
  const order = await givenOrder(shop, buyer);
  const sessionId = await openPage(shop, buyer, order);
  const [attempt] = (await recordsOf(shop.db, order)).attempts;
  if (attempt === undefined) throw new Error('the order has no payment attempt');
  return { order, sessionId, reference: { ...order, attemptId: attempt.attempt_id } };
}

/** An order that is paid at the provider, with the webhook about it not sent yet. */
async function givenUntoldPayment() {
  await plan({ drop: 'all' });
  const opened = await givenOpenPage();
  await payAtProvider(shop, opened.sessionId);
  return { ...opened, event: sessionEvent(opened.sessionId, opened.reference) };
}

async function processed(event: { id: string }) {
  return await eventually(async () => {
    const [row] = await inboxOf(shop.db, event);
    return row !== undefined && row.processed_at !== null && row;
  });
}

async function isUntouched(order: OrderKey) {
  expect(await recordsOf(shop.db, order)).toMatchObject({
    order: { state: 'paying', version: 1, review_reason: null },
    transfers: [],
    delivery: undefined,
  });
  expect(await grantsOf(shop, order)).toEqual([]);
}

describe('genuine webhooks', () => {
  test('a genuine payment webhook is stored byte for byte and acknowledged by the shop, and pays the order', async () => {
    const { order, event } = await givenUntoldPayment();
    const sent = signed(event);

    expect(await postWebhook(shop, sent)).toBe(200);

    expect(await processed(event)).toMatchObject({ raw_body: sent.body, outcome: 'complete' });
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('a payment webhook delivered six times pays the order once', async () => {
    await plan({ duplicate: 5 });
    const { order, sessionId } = await givenOpenPage();
    await payAtProvider(shop, sessionId);
    await untilShown(shop, buyer, order, 'Fulfilled');
    const [event] = await eventsAbout(shop, sessionId);
    const copies = await eventually(async () => {
      const sends = await sendsOf(event?.id ?? '');
      return sends.length === 6 && sends;
    });

    expect(copies).toEqual(Array(6).fill('delivered'));
    const { events, transfers } = await recordsOf(shop.db, order);
    expect(events.map(({ fact }) => fact.type)).toEqual([
      'attempt_opened',
      'captured',
      'delivered',
    ]);
    expect(transfers).toHaveLength(2);
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect(await jobsOf(shop.db, order)).toMatchObject([{ name: 'deliver_order' }]);
    expect(await jobsAbout(shop.db, { id: event?.id ?? '' })).toHaveLength(1);
  });

  // A shop subscribed to every event type gets three events about one payment.
  test('payment webhooks of every event type about one payment pay the order once', async () => {
    await shop.stripe.tell('/__sandbox/webhooks', { enabledEvents: ['*'] });
    const { order, sessionId } = await givenOpenPage();
    await payAtProvider(shop, sessionId);
    await shop.stripe.tell('/__sandbox/webhooks', { enabledEvents: webhookEvents });
    await untilShown(shop, buyer, order, 'Fulfilled');
    await eventually(async () => (await outcomesOf(order)).length === 3);

    expect(await outcomesOf(order)).toEqual(['complete', 'complete', 'complete']);
    const { events, transfers } = await recordsOf(shop.db, order);
    expect(events.filter(({ fact }) => fact.type === 'captured')).toHaveLength(1);
    expect(transfers).toHaveLength(2);
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect(await casesOf(shop.db, order)).toEqual([]);
  });

  test('the shop accepts a payment webhook signed with either secret while the webhook secret is rotated', async () => {
    for (const secret of ['whsec_test', 'whsec_next']) {
      const { order, event } = await givenUntoldPayment();
      expect(await postWebhook(shop, signed(event, { secret }))).toBe(200);
      await untilShown(shop, buyer, order, 'Fulfilled');
    }
  });

  test('the shop accepts a payment webhook signed up to four minutes in the past or future', async () => {
    for (const ageSeconds of [240, -240]) {
      const { event } = await givenUntoldPayment();
      expect(await postWebhook(shop, signed(event, { ageSeconds }))).toBe(200);
    }
  });

  test('the shop stores and ignores a payment webhook of an event type that it does not handle', async () => {
    const event = { id: `evt_${randomUUID()}`, type: 'charge.refunded', data: { object: {} } };
    expect(await postWebhook(shop, signed(event))).toBe(200);
    expect(await inboxOf(shop.db, event)).toMatchObject([{ outcome: 'ignored' }]);
  });

  test('a payment webhook about a payment attempt that the shop does not know changes no order and opens an operator case', async () => {
    const { order, sessionId, reference } = await givenUntoldPayment();
    const event = sessionEvent(sessionId, { ...reference, attemptId: randomUUID() });

    expect(await postWebhook(shop, signed(event))).toBe(200);

    expect(await processed(event)).toMatchObject({ outcome: 'unknown_attempt' });
    await isUntouched(order);
    expect(await casesAbout(event)).toBe(1);
  });

  test("a payment webhook that names one order's payment page and another order's reference pays neither order", async () => {
    const [mine, theirs] = [await givenOpenPage(), await givenUntoldPayment()];
    const event = sessionEvent(theirs.sessionId, mine.reference);

    expect(await postWebhook(shop, signed(event))).toBe(200);

    await eventually(async () => (await jobsAbout(shop.db, event))[0]?.state === 'retry');
    expect(await inboxOf(shop.db, event)).toMatchObject([{ processed_at: null }]);
    await isUntouched(mine.order);
    await isUntouched(theirs.order);
  });

  test("a genuine webhook that reports a payment pays no order while the provider's API reports its page as unpaid", async () => {
    const { order, sessionId, reference } = await givenOpenPage();
    const event = sessionEvent(sessionId, reference);

    expect(await postWebhook(shop, signed(event))).toBe(200);

    expect(await processed(event)).toMatchObject({ outcome: 'open' });
    await isUntouched(order);
  });

  test("a payment webhook pays the order although the provider's API fails to confirm the payment at first", async () => {
    const match = 'GET /v1/checkout/sessions/:id';
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_before' });
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'json404_without_error' });
    const { order, event } = await givenUntoldPayment();
    expect(await postWebhook(shop, signed(event))).toBe(200);
    await untilShown(shop, buyer, order, 'Fulfilled');
  });

  test('the shop does not acknowledge a payment webhook that it cannot store, and the retry pays the order', async () => {
    const { order, event } = await givenUntoldPayment();
    const rename = (statement: ReturnType<typeof sql>) =>
      shop.db.transaction((tx) => tx.run(statement));
    await rename(sql`alter table provider_inbox rename to provider_inbox_away`);
    const status = await postWebhook(shop, signed(event));
    await rename(sql`alter table provider_inbox_away rename to provider_inbox`);

    expect(status).toBe(500);
    await isUntouched(order);
    expect(await postWebhook(shop, signed(event))).toBe(200);
    await untilShown(shop, buyer, order, 'Fulfilled');
  });

  test('a payment webhook that arrives before the provider has answered the request for the payment page pays the order', async () => {
    const order = await givenOrder(shop, buyer);
    const provider = await providerOf(shop.payments, 'stripe');
    const slow: PaymentProvider = {
      ...provider,
      createPayment: async (request) => {
        const result = await provider.createPayment(request);
        if (result.outcome === 'created') await payAtProvider(shop, result.pspRef);
        await untilShown(shop, buyer, order, 'Fulfilled');
        return result;
      },
    };
    const context = { ...shop.payments, providers: async () => new Map([['stripe', slow]]) };

    await openPayment(context, { ...order, locale: 'en-US', payer: atDesk });

    const records = await recordsOf(shop.db, order);
    expect(records.order.state).toBe('arrived');
    expect(records.attempts).toMatchObject([{ state: 'captured' }]);
    expect(brokenLinks(records)).toEqual([]);
  });
});

describe('forged webhooks', () => {
  test.each<[string, Parameters<typeof signed>[1]]>([
    ['with one byte changed', { change: (body) => body.replace('499', '498') }],
    ['with an extra space', { change: (body) => `${body} ` }],
    ['signed with another secret', { secret: 'whsec_other' }],
    ['signed six minutes ago', { ageSeconds: 360 }],
    ['signed six minutes in the future', { ageSeconds: -360 }],
    ['without a signature', { signature: '' }],
    ['with an invalid signature', { signature: 't=1,v1=00' }],
  ])(
    'the shop refuses a forged payment webhook and does not store it: a webhook %s',
    async (_what, forgery) => {
      const { order, event } = await givenUntoldPayment();

      expect(await postWebhook(shop, signed(event, forgery))).toBe(400);

      expect(await inboxOf(shop.db, event)).toEqual([]);
      await isUntouched(order);
    },
  );

  test('the shop refuses a payment webhook whose body was changed after signing, and accepts the genuine retry', async () => {
    await plan({ tamper: true });
    const { order, sessionId } = await givenOpenPage();
    await payAtProvider(shop, sessionId);
    const [event] = await eventsAbout(shop, sessionId);
    const answer = await eventually(async () => {
      const sends = await sendsOf(event?.id ?? '');
      return sends.find((outcome) => outcome !== 'unanswered');
    });
    expect(answer).toBe('refused');
    await isUntouched(order);

    await plan({});
    await untilShown(shop, buyer, order, 'Fulfilled');
  });
});

describe('mismatched payments', () => {
  test.each([
    ['one cent short', { amount: 498 }, 'underpaid', { 'player:deposit USD': 498n }],
    ['one cent over', { amount: 500 }, 'overpaid', { 'player:deposit USD': 500n }],
    ['in another currency', { currency: 'krw' }, 'wrong_currency', { 'player:deposit KRW': 499n }],
  ])(
    'a payment that does not match its order is booked as a deposit, opens an operator case and is never delivered: %s',
    async (_what, override, reviewReason, books) => {
      const { order, sessionId } = await givenOpenPage();
      await payAtProvider(shop, sessionId, override);
      const records = await eventually(async () => {
        const known = await recordsOf(shop.db, order);
        return known.events.some(({ fact }) => fact.type === 'captured') && known;
      });

      expect(records.order).toMatchObject({ state: 'paying', review_reason: reviewReason });
      expect(records.delivery).toBeUndefined();
      expect(await booksOf(shop.db, order)).toMatchObject(books);
      expect(await jobsOf(shop.db, order)).toEqual([]);
      expect(await casesOf(shop.db, order)).toMatchObject([
        { kind: 'misfit_money', details: { reviewReason } },
      ]);
      expect(await detailOf(shop, buyer, order)).toMatchObject({
        shown: 'Processing',
        paidAt: null,
        isInReview: true,
      });
      expect(await grantsOf(shop, order)).toEqual([]);
    },
  );
});

/** The outcomes of the processed events about an order. */
async function outcomesOf({ paymentId }: OrderKey): Promise<(string | null)[]> {
  const rows = await shop.db.many(
    z.object({ outcome: z.string().nullable() }),
    sql`
      select outcome from provider_inbox
      where convert_from(raw_body, 'utf8') like ${`%${paymentId}%`} and processed_at is not null`,
  );
  return rows.map(({ outcome }) => outcome);
}

async function casesAbout({ id }: { id: string }): Promise<number> {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int from cases
      where kind = 'unknown_payment' and subject = ${`stripe:${id}`}`,
  );
  return count;
}

async function sendsOf(eventId: string): Promise<string[]> {
  const { webhookDeliveries } = (await shop.stripe.ask('/__sandbox/records')) as {
    webhookDeliveries: { eventId: string; outcome: string }[];
  };
  return webhookDeliveries.filter((send) => send.eventId === eventId).map((send) => send.outcome);
}
