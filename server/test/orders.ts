import { randomUUID } from 'node:crypto';
import { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { z } from 'zod';
import type { OrderEffects } from '../src/money/orders/order-effects.ts';
import { type Order, type OrderIntent, placeOrder } from '../src/money/orders/orders.ts';
import type { Payer } from '../src/money/psp/psp.ts';
import { createAccount } from '../src/people/accounts/accounts.ts';
import { type Db, sql } from '../src/platform/db.ts';

export interface OrderKey {
  accountId: string;
  paymentId: string;
}

/** An account that owns orders and has no password, because hashing one takes time. */
export async function givenAccount(db: Db): Promise<string> {
  const loginName = `player-${randomUUID().slice(0, 8)}`;
  return await db.transaction((tx) =>
    createAccount(tx, { loginName, displayName: loginName, passwordHash: 'none' }),
  );
}

type OrderChanges = Partial<Omit<OrderIntent, 'snapshot'>> & {
  snapshot?: Partial<OrderIntent['snapshot']>;
  intentBody?: string;
};

/** An unpaid order over 4.99 USD, inserted without catalogue and game. */
export async function givenPlacedOrder(
  db: Db,
  { intentBody = 'the same', snapshot, ...changes }: OrderChanges = {},
): Promise<{ order: Order; key: OrderKey }> {
  const accountId = changes.accountId ?? (await givenAccount(db));
  const text = { 'en-US': 'text' };
  const intent: OrderIntent = {
    clientOrderId: randomUUID(),
    kind: 'item',
    siteId: 'solmere',
    gameId: 'solmere',
    serverId: 's12',
    roleId: 'r_1',
    gameAccountId: 'ga_1',
    itemId: 'shards_300',
    packCount: 1,
    orderType: 'foreign',
    method: 'card',
    system: 'android',
    currency: 'USD',
    amountMinor: 499n,
    expireMinutes: 30,
    promiseHours: 24,
    snapshot: {
      gameName: text,
      serverName: text,
      roleName: 'Aveline',
      itemName: text,
      unit: text,
      art: 'shard2',
      sku: 'lumen_shard',
      quantity: '300',
      giftQuantity: '30',
      giftDays: null,
      ...snapshot,
    },
    ...changes,
    accountId,
  };
  const { order } = await db.transaction((tx) => placeOrder(tx, intent, intentBody));
  return { order, key: { accountId, paymentId: order.payment_id } };
}

/** An unpaid order for 300 points and 30 as a gift, inserted without the catalogue. */
export async function givenPointsOrder(
  db: Db,
  { snapshot, ...changes }: OrderChanges = {},
): Promise<{ order: Order; key: OrderKey }> {
  return await givenPlacedOrder(db, {
    kind: 'points',
    gameId: null,
    serverId: null,
    roleId: null,
    gameAccountId: null,
    itemId: 'points_300',
    ...changes,
    snapshot: { gameName: null, serverName: null, roleName: null, sku: null, ...snapshot },
  });
}

/** Effects that do nothing. */
export const nothingFollows: OrderEffects = {
  takeAgain: async () => true,
  onPaid: async () => {},
  onRefundRequested: async () => {},
  onRefundSettled: async () => {},
  onRefunded: async () => {},
  onTakenBack: async () => {},
  onClosed: async () => {},
  onKept: async () => {},
  onMoved: () => {},
};

/** Effects that record their calls in order. */
export function watchedEffects(): { effects: OrderEffects; heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    effects: {
      takeAgain: async () => true,
      onPaid: async (_tx, { state }) => {
        heard.push(`deliver, it is ${state}`);
      },
      onRefundRequested: async (_tx, _order, { amountMinor, captureId, reason, attemptId }) => {
        heard.push(`send back ${amountMinor} of ${captureId}, ${reason}, ${attemptId.slice(-1)}`);
      },
      onRefundSettled: async (_tx, _order, { captureId, state }) => {
        heard.push(`refund of ${captureId} is ${state}`);
      },
      onRefunded: async () => {},
      onTakenBack: async (_tx, { state }) => {
        heard.push(`take back, it is ${state}`);
      },
      onClosed: async () => {},
      onKept: async () => {},
      onMoved: () => heard.push('look again'),
    },
  };
}

const CaseRow = z.object({
  kind: z.string(),
  subject: z.string(),
  account_id: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()),
});

/** The cases about an order. */
export async function casesOf(db: Db, { paymentId }: OrderKey) {
  return await db.many(
    CaseRow,
    sql`select * from cases where payment_id = ${paymentId} order by opened_at, kind, subject`,
  );
}

const OrderRow = z.object({
  state: z.string(),
  version: z.int(),
  amount_minor: z.bigint(),
  currency: z.string(),
  order_type: z.string(),
  closed_reason: z.string().nullable(),
  review_reason: z.string().nullable(),
  refunded_minor: z.bigint(),
  is_disputed: z.boolean(),
  paid_at: z.date().nullable(),
  arrived_at: z.date().nullable(),
});
const EventRow = z.object({
  seq: z.int(),
  fact_key: z.string(),
  fact: z.looseObject({ type: z.string() }),
  state_before: z.string(),
  state_after: z.string(),
});
const AttemptRow = z.object({
  attempt_id: z.uuid(),
  state: z.string(),
  psp_ref: z.string().nullable(),
  action: z.nullable(PaymentAction),
  checks: z.int(),
  next_check_at: z.date(),
});
const DeliveryRow = z.object({
  state: z.string(),
  tries: z.int(),
  next_try_at: z.date().nullable(),
});
const TransferRow = z.object({
  posting: z.string(),
  debit_book: z.string(),
  credit_book: z.string(),
  unit: z.string(),
  amount_minor: z.bigint(),
});

/** All rows of one order in one snapshot, because a worker may be writing. */
export async function recordsOf(db: Db, { accountId, paymentId }: OrderKey) {
  const isIt = sql`account_id = ${accountId} and payment_id = ${paymentId}`;
  return await db.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    return {
      order: await tx.one(OrderRow, sql`select * from orders where ${isIt}`),
      events: await tx.many(EventRow, sql`select * from order_events where ${isIt} order by seq`),
      attempts: await tx.many(
        AttemptRow,
        sql`select * from payment_attempts where ${isIt} order by created_at, attempt_id`,
      ),
      delivery: await tx.maybeOne(DeliveryRow, sql`select * from deliveries where ${isIt}`),
      transfers: await tx.many(
        TransferRow,
        sql`
          select * from ledger_transfers where account_id = ${accountId} and origin_id = ${paymentId}
          order by created_at, posting`,
      ),
    };
  });
}

/** The balance of each book for one order, credits minus debits, by currency. */
export async function booksOf(db: Db, key: OrderKey): Promise<Record<string, bigint>> {
  const { transfers } = await recordsOf(db, key);
  const books: Record<string, bigint> = {};
  const add = (book: string, amount: bigint) => {
    books[book] = (books[book] ?? 0n) + amount;
  };
  for (const { credit_book, debit_book, unit, amount_minor } of transfers) {
    add(`${credit_book} ${unit}`, amount_minor);
    add(`${debit_book} ${unit}`, -amount_minor);
  }
  return books;
}

/** Events that do not start in the state in which the previous one ended. */
export function brokenLinks(records: Awaited<ReturnType<typeof recordsOf>>): string[] {
  const { order, events } = records;
  const problems: string[] = [];
  let state = 'created';
  for (const [index, event] of events.entries()) {
    if (event.seq !== index + 1) problems.push(`event ${index + 1} has number ${event.seq}`);
    if (event.state_before !== state) problems.push(`event ${event.seq} starts elsewhere`);
    state = event.state_after;
  }
  if (order.state !== state) problems.push(`the order is ${order.state}, its history ${state}`);
  if (order.version !== events.length) problems.push(`version ${order.version}`);
  return problems;
}

/** Moves the order's payment deadline into the past. */
export async function letExpire(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update orders set expire_at = now() - interval '1 second', close_again_at = null
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** Moves the order's payment deadline into the future. */
export async function letLive(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update orders set expire_at = now() + interval '30 minutes'
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** Makes the provider's page of the order expired. */
export async function letPageExpire(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update payment_attempts set expires_at = now() - interval '1 second', next_check_at = now()
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** Makes the order's attempt due for polling. */
export async function letBeAsked(db: Db, { accountId, paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update payment_attempts set next_check_at = now()
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}

/** Makes the jobs of these orders due. */
export async function hurryJobs(db: Db, ...orders: OrderKey[]): Promise<number> {
  const paymentIds = orders.map(({ paymentId }) => paymentId);
  return await db.transaction((tx) =>
    tx.run(sql`
      update pgboss.job set start_after = now()
      where data->>'paymentId' = any(${paymentIds}) and state in ('created', 'retry')
        and start_after > now()`),
  );
}

const JobRow = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.string(),
  start_after: z.date(),
});

export async function jobsOf(db: Db, { paymentId }: OrderKey) {
  return await db.many(
    JobRow,
    sql`
      select id, name, state::text, start_after from pgboss.job
      where data->>'paymentId' = ${paymentId} or data->'reference'->>'paymentId' = ${paymentId}
      order by created_on, id`,
  );
}

/** Makes the order's delivery overdue by this time, without a job. */
export async function forgetDelivery(db: Db, key: OrderKey, minutes: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`
      update deliveries set next_try_at = now() - make_interval(mins => ${minutes})
      where account_id = ${key.accountId} and payment_id = ${key.paymentId}`);
    await tx.run(sql`
      delete from pgboss.job
      where name = 'deliver_order' and data->>'paymentId' = ${key.paymentId}`);
  });
}

/** Sets the number of failed deliveries. */
export async function setTries(db: Db, key: OrderKey, tries: number): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update deliveries set tries = ${tries}
      where account_id = ${key.accountId} and payment_id = ${key.paymentId}`),
  );
}

/** Expires the heartbeat of this order's running jobs. */
export async function loseHeartbeat(db: Db, { paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update pgboss.job set heartbeat_on = now() - interval '1 minute'
      where data->>'paymentId' = ${paymentId} and state = 'active' and retry_count = 0`),
  );
}

/** An ordinary desktop payer. */
export const atDesk: Payer = { scene: 'desktop', clientIp: '203.0.113.7', openId: null };
