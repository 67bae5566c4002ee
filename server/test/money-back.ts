import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { deliveryWorks } from '../src/delivery/delivery.jobs.ts';
import { revocationWorks } from '../src/delivery/revocations.jobs.ts';
import { type RefundAsked, requestRefund } from '../src/money/orders/orders.ts';
import { paymentWorks } from '../src/money/payments/payments.jobs.ts';
import { refundWorks } from '../src/money/refunds/refunds.jobs.ts';
import { type Db, sql } from '../src/platform/db.ts';
import type { JobWork, Settle } from '../src/platform/jobs.ts';
import { type Buyer, givenOrder, openPage, payAtProvider, sessionsOf } from './buying.ts';
import { type OrderKey, recordsOf } from './orders.ts';
import { eventually, type TestShop } from './shop.ts';

/** All kinds of jobs that the worker runs for an order. */
function worksOf(shop: TestShop): JobWork[] {
  return [
    ...paymentWorks(shop.payments),
    ...refundWorks(shop.payments),
    ...deliveryWorks(shop),
    ...revocationWorks(shop),
  ];
}

/** Runs the first part of a job; the returned function writes its result. */
export async function startJob(shop: TestShop, name: string, payload: object): Promise<Settle> {
  const work = worksOf(shop).find(({ kind }) => kind.name === name);
  if (work === undefined) throw new Error(`no handler for jobs of the kind ${name}`);
  return await work.run(payload);
}

/** Runs a whole job like a worker. */
export async function runJob(shop: TestShop, name: string, payload: object): Promise<void> {
  await shop.db.transaction(await startJob(shop, name, payload));
}

/** Runs a worker for these kinds of jobs only, while the function runs. */
export async function withWorkerFor<T>(
  shop: TestShop,
  names: readonly string[],
  meanwhile: () => Promise<T>,
): Promise<T> {
  const works = worksOf(shop).filter(({ kind }) => names.includes(kind.name));
  const stop = shop.jobs.work(shop.db, works);
  try {
    return await meanwhile();
  } finally {
    await stop();
  }
}

/** An order paid by card, without a worker that delivers it. */
export async function givenPaidOrder(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const order = await givenOrder(shop, buyer, changes);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  return order;
}

/** The reference of a payment attempt; the oldest attempt by default. */
export async function attemptOf(shop: TestShop, order: OrderKey, index = 0) {
  const attemptId = (await recordsOf(shop.db, order)).attempts[index]?.attempt_id;
  if (attemptId === undefined) throw new Error('the order has no payment attempt');
  return { ...order, attemptId };
}

/** Polls the provider about the payment of an order, like the schedule. */
export async function askProvider(shop: TestShop, order: OrderKey): Promise<void> {
  await runJob(shop, 'ask_provider', await attemptOf(shop, order));
}

/** An order paid by card and delivered. */
export async function givenArrivedOrder(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const order = await givenPaidOrder(shop, buyer, changes);
  await runJob(shop, 'deliver_order', order);
  return order;
}

/** Requests a refund as an operator; of everything by default. */
export async function askRefund(
  shop: TestShop,
  order: OrderKey,
  changes: Partial<RefundAsked> = {},
): Promise<{ refundId: string }> {
  const asked: RefundAsked = {
    refundId: randomUUID(),
    amountMinor: null,
    reason: 'operator',
    by: 'operator',
    captureId: null,
    ...changes,
  };
  await shop.db.transaction((tx) => requestRefund(tx, shop.effects, order, asked));
  return { refundId: asked.refundId };
}

const Charges = z.object({
  charges: z.array(
    z.object({
      id: z.string(),
      amount: z.int(),
      amount_refunded: z.int(),
      payment_intent: z.string(),
    }),
  ),
});

/** The capture id of an order; of the oldest payment by default. */
export async function captureOf(
  shop: TestShop,
  { paymentId }: { paymentId: string },
  index = 0,
): Promise<string> {
  const found = await shop.stripe.ask(`/__sandbox/charges?paymentId=${paymentId}`);
  const capture = Charges.parse(found).charges[index]?.payment_intent;
  if (capture === undefined) throw new Error('the order has no capture');
  return capture;
}

const Refunds = z.object({
  refunds: z.array(
    z.object({
      id: z.string(),
      amount: z.int(),
      currency: z.string(),
      status: z.string(),
      payment_intent: z.string(),
      reason: z.string().nullable(),
      metadata: z.record(z.string(), z.string()),
    }),
  ),
});

/** The provider's refunds for an order. */
export async function refundsAt(shop: TestShop, { paymentId }: { paymentId: string }) {
  const found = await shop.stripe.ask(`/__sandbox/refunds?paymentId=${paymentId}`);
  return Refunds.parse(found).refunds;
}

/** Sets the results of the next refunds at the provider. */
export async function planRefunds(
  shop: TestShop,
  next: 'succeeded' | 'pending' | 'failed',
  times = 1,
): Promise<void> {
  await shop.stripe.tell('/__sandbox/refunds', { next, times });
}

/** Settles a pending refund at the bank. */
export async function settleAtBank(
  shop: TestShop,
  order: OrderKey,
  status: 'succeeded' | 'failed',
): Promise<void> {
  const [refund] = await refundsAt(shop, order);
  await shop.stripe.tell(`/__sandbox/refunds/${refund?.id}/settle`, { status });
}

/** Refunds on the provider's own pages, without the shop. */
export async function refundElsewhere(
  shop: TestShop,
  order: OrderKey,
  amount?: number,
): Promise<void> {
  const capture = await captureOf(shop, order);
  await shop.stripe.tell(`/__sandbox/charges/${capture}/refund`, {
    ...(amount === undefined ? {} : { amount }),
  });
}

type DisputeStage = 'warning' | 'open' | 'won' | 'lost' | 'warning_closed';

export interface TestDispute {
  disputeId: string;
  move(stage: DisputeStage): Promise<void>;
}

/** Opens a dispute of the payer. */
export async function givenDispute(
  shop: TestShop,
  order: OrderKey,
  { stage = 'open', amount }: { stage?: 'warning' | 'open'; amount?: number } = {},
): Promise<TestDispute> {
  const made = await shop.stripe.tell('/__sandbox/disputes', {
    paymentIntent: await captureOf(shop, order),
    stage,
    ...(amount === undefined ? {} : { amount }),
  });
  const { id: disputeId } = z.object({ id: z.string() }).parse(made);
  return {
    disputeId,
    move: async (next) => {
      await shop.stripe.tell(`/__sandbox/disputes/${disputeId}`, { stage: next });
    },
  };
}

const RefundRow = z.object({
  refund_id: z.uuid(),
  capture_id: z.string(),
  amount_minor: z.bigint(),
  currency: z.string(),
  reason: z.string(),
  requested_by: z.string(),
  state: z.string(),
  checks: z.int(),
  next_check_at: z.date(),
});

/** Pays the open payment page of an order and lets the webhook about it be worked on. */
export async function payLate(shop: TestShop, order: OrderKey): Promise<void> {
  const reference = await attemptOf(shop, order);
  const [session] = await sessionsOf(shop, order);
  const pspRef = session?.id ?? '';
  await payAtProvider(shop, pspRef);
  const event = { psp: 'stripe', eventId: `evt_${pspRef}`, subject: { pspRef, reference } };
  await runJob(shop, 'process_webhook', event);
}

/** Sends all refunds of an order to the provider, as its jobs do. */
export async function sendRefunds(shop: TestShop, order: OrderKey): Promise<void> {
  for (const { refund_id: refundId } of await refundRowsOf(shop.db, order)) {
    await runJob(shop, 'refund_payment', { ...order, refundId });
  }
}

/** The refunds of an order in our tables, in the order of their requests. */
export async function refundRowsOf(db: Db, { accountId, paymentId }: OrderKey) {
  return await db.many(
    RefundRow,
    sql`
      select * from refunds where account_id = ${accountId} and payment_id = ${paymentId}
      order by created_at, refund_id`,
  );
}

const CaseRow = z.object({
  id: z.uuid(),
  kind: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  resolved_at: z.date().nullable(),
});

/** The cases about an order. */
export async function casesOf(db: Db, { paymentId }: { paymentId: string }) {
  return await db.many(
    CaseRow,
    sql`select * from cases where payment_id = ${paymentId} order by opened_at, subject`,
  );
}

const FullDelivery = z.object({
  state: z.string(),
  tries: z.int(),
  round: z.int(),
  tries_before_round: z.int(),
  is_late: z.boolean(),
  lane: z.string(),
  next_try_at: z.date().nullable(),
  promise_at: z.date().nullable(),
  calling_since: z.date().nullable(),
});

export async function deliveryOf(db: Db, { accountId, paymentId }: OrderKey) {
  return await db.one(
    FullDelivery,
    sql`select * from deliveries where account_id = ${accountId} and payment_id = ${paymentId}`,
  );
}

const RevocationRow = z.object({
  state: z.string(),
  result: z.string().nullable(),
  tries: z.int(),
  next_try_at: z.date().nullable(),
});

export async function revocationOf(db: Db, { accountId, paymentId }: OrderKey) {
  return await db.maybeOne(
    RevocationRow,
    sql`select * from revocations where account_id = ${accountId} and payment_id = ${paymentId}`,
  );
}

/** Moves the promised delivery time of the order into the past. */
export async function breakPromise(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update deliveries set promise_at = now() - interval '1 second'
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** Makes all refunds of the order due for polling. */
export async function letRefundsBeAsked(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update refunds set next_check_at = now()
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** Deletes all jobs of the order. */
export async function forgetJobs(db: Db, { paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`delete from pgboss.job where data->>'paymentId' = ${paymentId}`),
  );
}

/** Waits until the order is in the given internal state. */
export async function untilState(db: Db, key: OrderKey, state: string): Promise<void> {
  await eventually(async () => {
    const row = await db.one(
      z.object({ state: z.string() }),
      sql`
        select state from orders
        where account_id = ${key.accountId} and payment_id = ${key.paymentId}`,
    );
    return row.state === state;
  });
}
