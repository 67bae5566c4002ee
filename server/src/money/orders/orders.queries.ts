import { PriceUnit } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { GiftReason } from '@pointgate/contract/promotions.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { LocalText } from '../../platform/local-text.ts';
import { Fact } from './order-fact.ts';
import { orderStates, type Projection } from './order-state.ts';

/** Why the gift is what it is, with all that decided it. */
const GiftTerms = z.object({
  decisionId: z.uuid(),
  reason: z.enum(GiftReason.def.entries).nullable(),
  decidedAt: z.iso.datetime(),
  rule: z.record(z.string(), z.unknown()).nullable(),
  verdicts: z.array(z.object({ ruleId: z.string(), verdict: z.string() })),
  inputs: z.record(z.string(), z.unknown()),
});

/** What a coupon took off, with all that decided it. */
const CouponTerms = z.object({
  couponId: z.uuid(),
  templateId: z.string(),
  name: LocalText,
  terms: z.record(z.string(), z.unknown()),
  /** Of the whole order, as text like all amounts here. */
  priceBeforeMinor: z.string(),
  discountMinor: z.string(),
  decidedAt: z.iso.datetime(),
});

/** What the player saw and agreed to. The catalogue may change; this does not. */
const Snapshot = z.object({
  /** Game, server, role and the game's own name for it are those of an item. */
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
  /** How long given points live; for ever where it says nothing. */
  giftDays: z.int().nullable().default(null),
  /** What of the catalogue was charged and given; orders from before there were quotes have none. */
  quoteId: z.string().optional(),
  /** Orders from before there were rules have none. */
  gift: GiftTerms.optional(),
  /** Of an order that a redeemed code has paid for: it is no purchase. */
  redemptionId: z.uuid().optional(),
  /** Only where one was used. */
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

export function lockOrder(tx: Tx, key: OrderKey): Promise<OrderRow | undefined> {
  return tx.maybeOne(OrderRow, sql`select * from orders where ${isOrder(key)} for update`);
}

/** All of them: an order is what its whole history says. */
export function selectEvents(db: Db | Tx, key: OrderKey): Promise<EventRow[]> {
  return db.many(
    EventRow,
    sql`
      select seq, fact_key, fact, state_before, state_after, at from order_events
      where ${isOrder(key)} order by seq`,
  );
}

/** Answers the order that this intent made already, if there is one. */
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

/** Along the intents, which are found by payment id alone. */
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

/** Those of the last four days: no site keeps an order open for longer than three. */
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

/** False when this intent has an order already. Waits for a twin that is being written. */
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
  currency: string;
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

/** The one statement that changes a state. The version makes sure nobody else did meanwhile. */
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

/** What a list is narrowed to; null is everything. */
export interface OrderFilter {
  accountId: string;
  states: readonly string[] | null;
  kind: string | null;
  gameId: string | null;
  /** Only what was bought here, and items of these games wherever they were bought. */
  shownAt: { siteId: string; gameIds: readonly string[] };
  /** Limits of time, as the smallest payment id from then on. */
  fromId: string | null;
  untilId: string | null;
  /** Only orders older than this one. */
  after: string | null;
  limit: number;
}

/** Along the primary key from its end, so a page costs the same wherever it is. */
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
 * Unpaid orders past their time, moved on by `againMinutes`: one that cannot be closed does not stand
 * in the way of the others. Two workers never get the same ones. Orders under review stay open for an
 * operator. `psp` is who has to close a payment first, if anybody.
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
