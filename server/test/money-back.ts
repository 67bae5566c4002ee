import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { deliveryWorks } from '../src/delivery/delivery.jobs.ts';
import { revocationWorks } from '../src/delivery/revocations.jobs.ts';
import { type RefundAsked, requestRefund } from '../src/money/orders/orders.ts';
import { paymentWorks } from '../src/money/payments/payments.jobs.ts';
import { refundWorks } from '../src/money/refunds/refunds.jobs.ts';
import { type Db, sql } from '../src/platform/db.ts';
import type { JobWork, Settle } from '../src/platform/jobs.ts';
import { type Buyer, givenOrder, openPage, payAtProvider } from './buying.ts';
import { type OrderKey, recordsOf } from './orders.ts';
import { eventually, type TestShop } from './shop.ts';

/** Every kind of work that the worker does for an order. */
function worksOf(shop: TestShop): JobWork[] {
  return [
    ...paymentWorks(shop.payments),
    ...refundWorks(shop.payments),
    ...deliveryWorks(shop),
    ...revocationWorks(shop),
  ];
}

/** What a worker does with a job before it writes; the rest is the answered function. */
export async function startJob(shop: TestShop, name: string, payload: object): Promise<Settle> {
  const work = worksOf(shop).find(({ kind }) => kind.name === name);
  if (work === undefined) throw new Error(`nobody does ${name}`);
  return await work.run(payload);
}

/** The whole job, as one worker does it. */
export async function runJob(shop: TestShop, name: string, payload: object): Promise<void> {
  await shop.db.transaction(await startJob(shop, name, payload));
}

/** Runs a worker that does these kinds of jobs only, for as long as the function takes. */
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

/** Paid by card, with nobody there yet to deliver it. */
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

/** How the provider and the shop name a payment between them; the oldest unless told otherwise. */
export async function attemptOf(shop: TestShop, order: OrderKey, index = 0) {
  const attemptId = (await recordsOf(shop.db, order)).attempts[index]?.attempt_id;
  if (attemptId === undefined) throw new Error('nobody has tried to pay');
  return { ...order, attemptId };
}

/** Asks the provider what became of the money of an order, as the schedule does. */
export async function askProvider(shop: TestShop, order: OrderKey): Promise<void> {
  await runJob(shop, 'ask_provider', await attemptOf(shop, order));
}

/** Paid by card and given by the game. */
export async function givenArrivedOrder(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const order = await givenPaidOrder(shop, buyer, changes);
  await runJob(shop, 'deliver_order', order);
  return order;
}

/** Asks for money to go back, as an operator does; all of it unless told otherwise. */
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

/** How the provider knows the money of an order; the oldest payment unless told otherwise. */
export async function captureOf(
  shop: TestShop,
  { paymentId }: { paymentId: string },
  index = 0,
): Promise<string> {
  const found = await shop.stripe.ask(`/__sandbox/charges?paymentId=${paymentId}`);
  const capture = Charges.parse(found).charges[index]?.payment_intent;
  if (capture === undefined) throw new Error('nothing was paid');
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

/** What the provider itself says that it sent back for an order. */
export async function refundsAt(shop: TestShop, { paymentId }: { paymentId: string }) {
  const found = await shop.stripe.ask(`/__sandbox/refunds?paymentId=${paymentId}`);
  return Refunds.parse(found).refunds;
}

/** What becomes of the refunds that the provider is asked for next. */
export async function planRefunds(
  shop: TestShop,
  next: 'succeeded' | 'pending' | 'failed',
  times = 1,
): Promise<void> {
  await shop.stripe.tell('/__sandbox/refunds', { next, times });
}

/** The bank decides about a refund that it had not decided about. */
export async function settleAtBank(
  shop: TestShop,
  order: OrderKey,
  status: 'succeeded' | 'failed',
): Promise<void> {
  const [refund] = await refundsAt(shop, order);
  await shop.stripe.tell(`/__sandbox/refunds/${refund?.id}/settle`, { status });
}

/** Somebody sends money back on the provider's own pages, without the shop. */
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

/** The payer complains to the bank. */
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

/** What the shop has asked the provider to send back, in the order it was asked for. */
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

/** What an operator was told about an order. */
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

/** As if the time the site promised were over for this order. */
export async function breakPromise(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update deliveries set promise_at = now() - interval '1 second'
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** As if it were time to ask again about all refunds of this order. */
export async function letRefundsBeAsked(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update refunds set next_check_at = now()
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** As if all jobs of this order had been done, or given up. */
export async function forgetJobs(db: Db, { paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`delete from pgboss.job where data->>'paymentId' = ${paymentId}`),
  );
}

/** Waits until the order is in this state, whatever a player sees of it. */
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
