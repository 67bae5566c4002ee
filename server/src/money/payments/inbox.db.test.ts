import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  openPage,
  pay,
  payAtProvider,
  sessionsOf,
} from '../../../test/buying.ts';
import {
  askProvider,
  attemptOf,
  captureOf,
  givenArrivedOrder,
  refundElsewhere,
  runJob,
  startJob,
  withWorkerFor,
} from '../../../test/money-back.ts';
import { recordsOf } from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { inboxOf, jobsAbout, postWebhook, sessionEvent, signed } from '../../../test/webhooks.ts';
import { sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { forgetOldEvents, sweepInbox } from './payments.jobs.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await shop.stripe.tell('/__sandbox/reset', {});
  // The tests send the webhooks themselves.
  await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  await forgetEverything();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => shop.closeAll());

/** A paid order whose webhook was stored some minutes ago and whose job was then abandoned. */
async function givenForgotten(minutes: number) {
  const order = await givenOrder(shop, buyer);
  const sessionId = await openPage(shop, buyer, order);
  await payAtProvider(shop, sessionId);
  const event = sessionEvent(sessionId, await attemptOf(shop, order));
  expect(await postWebhook(shop, signed(event))).toBe(200);
  await forgetJobs(event);
  await setAge(event, { minutes });
  return { order, event };
}

/** An event about something that happened to a payment. */
function captureEvent(captureId: string, type = 'refund.updated') {
  const object = { id: 're_1', object: 'refund', payment_intent: captureId };
  return { id: `evt_${randomUUID()}`, object: 'event', type, data: { object } };
}

const jobCount = async (event: { id: string }) => (await jobsAbout(shop.db, event)).length;

describe('events whose job was abandoned', () => {
  test('a payment webhook event whose background job was abandoned is requeued once and pays the order', async () => {
    const { order, event } = await givenForgotten(121);
    await Promise.all([sweepInbox(shop.payments), sweepInbox(shop.payments)]);
    await sweepInbox(shop.payments);
    expect(await jobCount(event)).toBe(1);

    await withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => (await inboxOf(shop.db, event))[0]?.processed_at !== null),
    );
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Paid' });
    await forgetJobs(event);
    await sweepInbox(shop.payments);
    expect(await jobCount(event)).toBe(0); // a processed event is not requeued
  });

  test('a payment webhook event is not requeued while the job engine may still retry its job', async () => {
    const { event } = await givenForgotten(119);
    await sweepInbox(shop.payments);
    expect(await jobCount(event)).toBe(0);
  });

  test('an unprocessed payment webhook event is requeued at growing intervals', async () => {
    const { event } = await givenForgotten(1000);
    const waits: number[] = [];
    for (let round = 1; round <= 6; round += 1) {
      await sweepInbox(shop.payments);
      await sweepInbox(shop.payments);
      expect(await jobCount(event)).toBe(round);
      waits.push(Math.round(await minutesToNextRound(event)));
      await letRoundBegin(event);
    }
    expect(waits).toEqual([4, 8, 16, 24, 24, 24].map((hours) => hours * 60));
  });

  test('a refund webhook event whose job was abandoned is requeued and refunds the order', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await refundElsewhere(shop, order);
    const event = captureEvent(await captureOf(shop, order));
    await postWebhook(shop, signed(event));
    await forgetJobs(event);
    await setAge(event, { minutes: 121 });
    await sweepInbox(shop.payments);
    await withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => (await detailOf(shop, buyer, order)).shown === 'Refunded'),
    );
  });

  // Events stored by earlier versions have no subject.
  test('a stored payment webhook event that does not name its payment does not block the requeueing of other events', async () => {
    const { event: old } = await givenForgotten(1000);
    await shop.db.transaction((tx) =>
      tx.run(sql`update provider_inbox set subject = null where event_id = ${old.id}`),
    );
    const { event } = await givenForgotten(121);
    await sweepInbox(shop.payments);
    expect(await jobCount(event)).toBe(1);
  });
});

test('a payment webhook event about an archived order opens an operator case with the archive folder and is requeued', async () => {
  const paymentId = newId(Date.UTC(2025, 0, 9));
  const reference = { accountId: buyer.accountId, paymentId, attemptId: randomUUID() };
  await shop.db.transaction((tx) =>
    tx.run(sql`
      insert into archives (archive_id, month, state, folder, manifest_sha256, orders, archived_by)
      values (${randomUUID()}, '2025-01-01', 'archived', '/srv/archive/2025-01', '', 1, 'ana')`),
  );
  const event = sessionEvent('cs_old', reference);
  await postWebhook(shop, signed(event));
  const subject = { pspRef: 'cs_old', reference };
  await runJob(shop, 'process_webhook', { psp: 'stripe', eventId: event.id, subject });

  const cases = await shop.db.many(
    z.object({ kind: z.string(), details: z.unknown() }),
    sql`select kind, details from cases`,
  );
  expect(cases).toMatchObject([
    { kind: 'archived_order', details: { paymentId, folder: '/srv/archive/2025-01' } },
  ]);
  expect(await inboxOf(shop.db, event)).toMatchObject([{ processed_at: null }]);
  await forgetJobs(event);
  await setAge(event, { minutes: 121 });
  await sweepInbox(shop.payments);
  expect(await jobCount(event)).toBe(1);
});

describe('event retention', () => {
  test('processed payment webhook events are deleted after half a year, and unprocessed ones are kept', async () => {
    const { event: waiting } = await givenForgotten(60 * 24 * 365);
    const [old, young] = await Promise.all([181, 179].map((days) => givenIgnored(days)));
    if (old === undefined || young === undefined) throw new Error('no events');

    await forgetOldEvents(shop.payments);

    expect(await inboxOf(shop.db, waiting)).toHaveLength(1);
    expect(await inboxOf(shop.db, young)).toHaveLength(1);
    expect(await inboxOf(shop.db, old)).toEqual([]);
  });
});

describe('events that name only a capture', () => {
  const hear = async (captureId: string) => {
    const event = captureEvent(captureId);
    await postWebhook(shop, signed(event));
    const payload = { psp: 'stripe', eventId: event.id, subject: { captureId } };
    await runJob(shop, 'process_webhook', payload);
    return (await inboxOf(shop.db, event))[0]?.outcome;
  };

  test('the shop finds the order of a webhook event that names only a capture, even before it knows of the payment', async () => {
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    expect((await recordsOf(shop.db, order)).order.state).toBe('paying');
    expect(await hear(await captureOf(shop, order))).toBe('complete');
    expect((await recordsOf(shop.db, order)).order.state).toBe('paid');
  });

  test('the shop processes a webhook event about a known capture without asking the payment provider for its order', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await shop.stripe.tell('/__sandbox/faults', {
      match: 'GET /v1/payment_intents/:id',
      kind: 'http500_before',
      times: 10,
    });
    expect(await hear(await captureOf(shop, order))).toBe('complete');
  });

  test('a webhook event about a capture that the provider does not know opens an operator case', async () => {
    expect(await hear('pi_unknown')).toBe('unknown_attempt');
    expect(await unknownPayments()).toBe(1);
  });

  test("three webhook events about payments that are not the shop's open only one operator case", async () => {
    for (const captureId of ['pi_one', 'pi_two', 'pi_three']) {
      expect(await hear(captureId)).toBe('unknown_attempt');
    }
    expect(await unknownPayments()).toBe(1);
  });

  test('a webhook event that names only a capture is retried while the provider query for the capture fails', async () => {
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await shop.stripe.tell('/__sandbox/faults', {
      match: 'GET /v1/payment_intents/:id',
      kind: 'http500_before',
    });
    await expect(hear(await captureOf(shop, order))).rejects.toThrow(
      'did not answer which payment',
    );
    expect(await unknownPayments()).toBe(0);
    expect(await hear(await captureOf(shop, order))).toBe('complete');
  });

  test('a payment webhook event is retried while the shop is still opening the payment page that the event is about', async () => {
    const match = 'POST /v1/checkout/sessions';
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
    const order = await givenOrder(shop, buyer);
    await pay(shop, buyer, order);
    const [session] = await sessionsOf(shop, order);
    await payAtProvider(shop, session?.id ?? '');
    const captureId = await captureOf(shop, order);
    await expect(hear(captureId)).rejects.toThrow('still being opened');

    // The event about the page itself contains the reference to the page.
    const reference = await attemptOf(shop, order);
    const event = sessionEvent(session?.id ?? '', reference);
    const subject = { pspRef: session?.id ?? '', reference };
    await runJob(shop, 'process_webhook', { psp: 'stripe', eventId: event.id, subject });
    expect(await hear(captureId)).toBe('complete');
  });
});

describe('provider queries', () => {
  test('the job that asks the provider about a payment fails while the provider does not answer and succeeds on retry', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await shop.stripe.tell('/__sandbox/faults', {
      match: 'GET /v1/checkout/sessions/:id',
      kind: 'http500_before',
    });
    await expect(askProvider(shop, order)).rejects.toThrow(
      'did not answer the query for its payment',
    );
    await expect(askProvider(shop, order)).resolves.toBeUndefined();
  });

  test('the job that asks the provider about a payment ends without an error for an unopened or unknown payment attempt', async () => {
    const match = 'POST /v1/checkout/sessions';
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_before' });
    const order = await givenOrder(shop, buyer);
    await pay(shop, buyer, order);
    await expect(askProvider(shop, order)).resolves.toBeUndefined();
    const attemptId = randomUUID();
    await expect(runJob(shop, 'ask_provider', { ...order, attemptId })).resolves.toBeUndefined();
  });
});

test('a webhook of one payment provider cannot mark an order as paid whose payment page is at another provider', async () => {
  const order = await givenOrder(shop, buyer);
  const pspRef = await openPage(shop, buyer, order);
  const reference = await attemptOf(shop, order);
  const write = await startJob(shop, 'process_webhook', {
    psp: 'other',
    eventId: 'evt_other',
    subject: { pspRef, reference },
  });
  await shop.db.transaction(write);
  expect((await recordsOf(shop.db, order)).order.state).toBe('paying');
  expect(await unknownPayments()).toBe(1);
});

/** An event of an unhandled type, received some days ago. */
async function givenIgnored(days: number) {
  const event = { id: `evt_${randomUUID()}`, type: 'customer.created', data: { object: {} } };
  await postWebhook(shop, signed(event));
  await setAge(event, { minutes: days * 24 * 60 });
  return event;
}

async function setAge({ id }: { id: string }, { minutes }: { minutes: number }): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update provider_inbox
      set received_at = now() - make_interval(mins => ${minutes}),
          next_round_at = next_round_at - make_interval(mins => ${minutes})
      where event_id = ${id}`),
  );
}

async function minutesToNextRound({ id }: { id: string }): Promise<number> {
  const { minutes } = await shop.db.one(
    z.object({ minutes: z.number() }),
    sql`
      select (extract(epoch from next_round_at - now()) / 60)::float8 as minutes
      from provider_inbox where event_id = ${id}`,
  );
  return minutes;
}

async function letRoundBegin({ id }: { id: string }): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`update provider_inbox set next_round_at = now() where event_id = ${id}`),
  );
}

async function forgetJobs({ id }: { id: string }): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`delete from pgboss.job where data->>'eventId' = ${id}`),
  );
}

/** Deletes what other tests left behind. */
async function forgetEverything(): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`delete from provider_inbox`);
    await tx.run(sql`delete from pgboss.job`);
    await tx.run(sql`delete from cases`);
  });
}

async function unknownPayments(): Promise<number> {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`select count(*)::int from cases where kind = 'unknown_payment'`,
  );
  return count;
}
