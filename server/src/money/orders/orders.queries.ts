import { PriceUnit } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { GiftReason } from '@pointgate/contract/promotions.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { LocalText } from '../../platform/local-text.ts';
import { Fact } from './order-fact.ts';
import { orderStates, type Projection } from './order-state.ts';

/** The rule that decided the gift, with its terms. */
const GiftTerms = z.object({
  decisionId: z.uuid(),
  reason: z.enum(GiftReason.def.entries).nullable(),
  decidedAt: z.iso.datetime(),
  rule: z.record(z.string(), z.unknown()).nullable(),
  verdicts: z.array(z.object({ ruleId: z.string(), verdict: z.string() })),
  inputs: z.record(z.string(), z.unknown()),
});

/** The discount of a coupon, with its terms. */
const CouponTerms = z.object({
  couponId: z.uuid(),
  templateId: z.string(),
  name: LocalText,
  terms: z.record(z.string(), z.unknown()),
  /** The price of the whole order, as text like all amounts in the snapshot. */
  priceBeforeMinor: z.string(),
  discountMinor: z.string(),
  decidedAt: z.iso.datetime(),
});

/** The terms that the player saw and accepted; later catalogue changes do not affect them. */
const Snapshot = z.object({
  /** Game, server, role and SKU are null for point purchases. */
  gameName: LocalText.nullable(),
  serverName: LocalText.nullable(),
  roleName: z.string().nullable(),
  sku: z.string().nullable(),
  itemName: LocalText,
  unit: LocalText,
  art: z.string(),
  /** Per pack, as text: JSON has no exact number of that size. */
  quantity: z.string(),
  giftQuantity: z.string(),
  /** The lifetime of gift points; null means that they never expire. */
  giftDays: z.int().nullable().default(null),
  /** The quote that the order is based on; absent in orders older than quotes. */
  quoteId: z.string().optional(),
  /** Absent in orders older than gift rules. */
  gift: GiftTerms.optional(),
  /** Set for an order paid by a redeemed code, which does not count as a purchase. */
  redemptionId: z.uuid().optional(),
  /** Set only if a coupon was used. */
  coupon: CouponTerms.optional(),
});
type Snapshot = z.output<typeof Snapshot>;

const OrderRow = z.object({
  account_id: z.uuid(),
  payment_id: z.uuid(),
  kind: z.enum(['item', 'points']),
  site_id: z.string(),
  game_id: z.string().nullable(),
  server_id: z.string().nullable(),
  role_id: z.string().nullable(),
  game_account_id: z.string().nullable(),
  item_id: z.string(),
  pack_count: z.int(),
  order_type: z.enum(['foreign', 'internal']),
  method: z.enum(PaymentMethod.def.entries),
  system: z.enum(['ios', 'android']),
  currency: z.enum(PriceUnit.def.entries),
  amount_minor: z.bigint(),
  snapshot: Snapshot,
  state: z.enum(orderStates),
  closed_reason: z.literal('expired').nullable(),
  review_reason: z.string().nullable(),
  refunded_minor: z.bigint(),
  is_disputed: z.boolean(),
  promise_hours: z.int(),
  version: z.int(),
  created_at: z.date(),
  expire_at: z.date(),
  paid_at: z.date().nullable(),
  arrived_at: z.date().nullable(),
});
export type OrderRow = z.output<typeof OrderRow>;

const EventRow = z.object({
  seq: z.int(),
  fact_key: z.string(),
  fact: Fact,
  state_before: z.enum(orderStates),
  state_after: z.enum(orderStates),
  at: z.date(),
});
export type EventRow = z.output<typeof EventRow>;

export interface OrderKey {
  accountId: string;
  paymentId: string;
}

const isOrder = ({ accountId, paymentId }: OrderKey) =>
  sql`account_id = ${accountId} and payment_id = ${paymentId}`;

export function selectOrder(db: Db | Tx, key: OrderKey): Promise<OrderRow | undefined> {
  return db.maybeOne(OrderRow, sql`select * from orders where ${isOrder(key)}`);
}

export function selectOrderLocked(tx: Tx, key: OrderKey): Promise<OrderRow | undefined> {
  return tx.maybeOne(OrderRow, sql`select * from orders where ${isOrder(key)} for update`);
}

/** All events of an order, because its state depends on its whole history. */
export function selectEvents(db: Db | Tx, key: OrderKey): Promise<EventRow[]> {
  return db.many(
    EventRow,
    sql`
      select seq, fact_key, fact, state_before, state_after, at from order_events
      where ${isOrder(key)} order by seq`,
  );
}

/** The order that was already placed for this intent, if any. */
export function selectOrderKey(
  db: Db | Tx,
  key: { accountId: string; clientOrderId: string },
): Promise<{ payment_id: string; body_hash: Buffer } | undefined> {
  return db.maybeOne(
    z.object({ payment_id: z.uuid(), body_hash: z.instanceof(Buffer) }),
    sql`
      select payment_id, body_hash from order_keys
      where account_id = ${key.accountId} and client_order_id = ${key.clientOrderId}`,
  );
}

/** Reads order_keys, the only table that is indexed by the payment id alone. */
export async function selectOwner(db: Db, paymentId: string): Promise<OrderKey | undefined> {
  const row = await db.maybeOne(
    z.object({ account_id: z.uuid() }),
    sql`select account_id from order_keys where payment_id = ${paymentId}`,
  );
  return row === undefined ? undefined : { accountId: row.account_id, paymentId };
}

export async function lockUnpaidOrders(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('unpaid_orders:' || ${accountId}::text, 0))`);
}

/** Counts orders of the last four days only; no site keeps an order open longer than three. */
export function selectUnpaidOrders(
  tx: Tx,
  accountId: string,
): Promise<{ count: number; next_expiry: Date | null }> {
  const fromId = firstIdAt(new Date(Date.now() - 4 * 24 * 60 * 60_000));
  return tx.one(
    z.object({ count: z.int(), next_expiry: z.date().nullable() }),
    sql`
      select count(*)::int, min(expire_at) as next_expiry from orders
      where account_id = ${accountId} and payment_id >= ${fromId}
        and state in ('created', 'paying') and review_reason is null and expire_at > now()`,
  );
}

/** False if the intent already has an order. Waits for a concurrent insert of the same key. */
export async function insertOrderKey(
  tx: Tx,
  key: OrderKey & { clientOrderId: string; bodyHash: Buffer },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into order_keys (account_id, client_order_id, payment_id, body_hash)
    values (${key.accountId}, ${key.clientOrderId}, ${key.paymentId}, ${key.bodyHash})
    on conflict do nothing`);
  return inserted === 1;
}

export interface NewOrder extends OrderKey {
  kind: 'item' | 'points';
  siteId: string;
  gameId: string | null;
  serverId: string | null;
  roleId: string | null;
  gameAccountId: string | null;
  itemId: string;
  packCount: number;
  orderType: 'foreign' | 'internal';
  method: string;
  system: 'ios' | 'android';
  currency: PriceUnit;
  amountMinor: bigint;
  snapshot: Snapshot;
  expireMinutes: number;
  promiseHours: number;
}

export function insertOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  return tx.one(
    OrderRow,
    sql`
      insert into orders
        (account_id, payment_id, kind, site_id, game_id, server_id, role_id, game_account_id, item_id,
         pack_count, order_type, method, system, currency, amount_minor, snapshot,
         promise_hours, expire_at)
      values
        (${order.accountId}, ${order.paymentId}, ${order.kind}, ${order.siteId}, ${order.gameId},
         ${order.serverId}, ${order.roleId}, ${order.gameAccountId}, ${order.itemId},
         ${order.packCount}, ${order.orderType}, ${order.method}, ${order.system},
         ${order.currency}, ${order.amountMinor}, ${JSON.stringify(order.snapshot)},
         ${order.promiseHours},
         now() + make_interval(mins => ${order.expireMinutes}))
      returning *`,
  );
}

export async function insertEvent(
  tx: Tx,
  event: OrderKey & {
    seq: number;
    factKey: string;
    factJson: string;
    stateBefore: string;
    stateAfter: string;
  },
): Promise<void> {
  await tx.run(sql`
    insert into order_events (account_id, payment_id, seq, fact_key, fact, state_before, state_after)
    values (${event.accountId}, ${event.paymentId}, ${event.seq}, ${event.factKey},
            ${event.factJson}, ${event.stateBefore}, ${event.stateAfter})`);
}

/** The only statement that changes a state; the version check detects concurrent changes. */
export function updateState(
  tx: Tx,
  order: OrderRow,
  { state, money, isDelivered, version }: Projection & { version: number },
): Promise<OrderRow> {
  return tx.one(
    OrderRow,
    sql`
      update orders set
        state = ${state},
        review_reason = ${money.reviewReason},
        refunded_minor = least(${money.lossMinor}, amount_minor),
        is_disputed = ${money.isDisputed},
        version = ${version},
        closed_reason = case when ${state} = 'closed' then coalesce(closed_reason, 'expired') end,
        paid_at = case when ${money.isPaid} then coalesce(paid_at, now()) else paid_at end,
        arrived_at = case when ${money.isPaid && isDelivered} then coalesce(arrived_at, now()) else arrived_at end
      where ${isOrder({ accountId: order.account_id, paymentId: order.payment_id })}
        and version = ${order.version}
      returning *`,
  );
}

/** The filters of an order list; null means no restriction. */
export interface OrderFilter {
  accountId: string;
  states: readonly string[] | null;
  kind: string | null;
  gameId: string | null;
  /** Only orders of this site, and orders for items of these games from any site. */
  shownAt: { siteId: string; gameIds: readonly string[] };
  /** Time limits, given as the smallest payment id of that time. */
  fromId: string | null;
  untilId: string | null;
  /** Only orders older than this one. */
  after: string | null;
  limit: number;
}

/** Reads the primary key backwards, so that every page costs the same. */
export function selectOrders(db: Db, filter: OrderFilter): Promise<OrderRow[]> {
  return db.many(
    OrderRow,
    sql`
      select * from orders
      where account_id = ${filter.accountId}
        and (${filter.after}::uuid is null or payment_id < ${filter.after})
        and (${filter.fromId}::uuid is null or payment_id >= ${filter.fromId})
        and (${filter.untilId}::uuid is null or payment_id < ${filter.untilId})
        and (${filter.states}::text[] is null or state = any(${filter.states}))
        and (${filter.kind}::text is null or kind = ${filter.kind})
        and (${filter.gameId}::text is null or game_id = ${filter.gameId})
        and (site_id = ${filter.shownAt.siteId} or game_id = any(${filter.shownAt.gameIds}::text[]))
      order by payment_id desc limit ${filter.limit}`,
  );
}

export function selectOrdersById(
  db: Db,
  key: { accountId: string; paymentIds: readonly string[] },
): Promise<OrderRow[]> {
  return db.many(
    OrderRow,
    sql`
      select * from orders
      where account_id = ${key.accountId} and payment_id = any(${key.paymentIds}::uuid[])
      order by payment_id desc limit 50`,
  );
}

/**
 * Takes expired unpaid orders and hides them for `againMinutes`, so that one that cannot be closed
 * does not block the others. Two workers never get the same order. Orders in review stay open for
 * an operator. `psp` is the contract that has to close an open payment first, if there is one.
 */
export function takeExpired(
  tx: Tx,
  limits: { againMinutes: number; rowsMax: number; fromId: string },
): Promise<ExpiredRow[]> {
  return tx.many(
    ExpiredRow,
    sql`
      with due as (
        select account_id, payment_id from orders
        where state in ('created', 'paying') and review_reason is null
          and coalesce(close_again_at, expire_at) < now() and payment_id >= ${limits.fromId}
        order by coalesce(close_again_at, expire_at) limit ${limits.rowsMax} for update skip locked
      )
      update orders set close_again_at = now() + make_interval(mins => ${limits.againMinutes})
      from due
      where orders.payment_id >= ${limits.fromId}
        and orders.account_id = due.account_id and orders.payment_id = due.payment_id
      returning orders.account_id, orders.payment_id, (
        select psp from payment_attempts as attempts
        where attempts.account_id = orders.account_id and attempts.payment_id = orders.payment_id
          and attempts.state in ('opening', 'open')) as psp`,
  );
}

const ExpiredRow = z.object({
  account_id: z.uuid(),
  payment_id: z.uuid(),
  psp: z.string().nullable(),
});
type ExpiredRow = z.output<typeof ExpiredRow>;

/** The contracts that took money for an order, or `epoint`. */
export async function selectTakers(db: Db | Tx, key: OrderKey): Promise<string[]> {
  const rows = await db.many(
    z.object({ psp: z.string() }),
    sql`
      select distinct psp from payment_attempts
      where account_id = ${key.accountId} and payment_id = ${key.paymentId} and state = 'captured'`,
  );
  return rows.map(({ psp }) => psp);
}

/** The contract that an attempt of an order was opened with. */
export async function selectPsp(
  tx: Tx,
  order: Pick<OrderRow, 'account_id' | 'payment_id'>,
  attemptId: string,
): Promise<string | undefined> {
  const row = await tx.maybeOne(
    z.object({ psp: z.string() }),
    sql`
      select psp from payment_attempts
      where account_id = ${order.account_id} and payment_id = ${order.payment_id}
        and attempt_id = ${attemptId}`,
  );
  return row?.psp;
}
