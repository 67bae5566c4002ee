import { Currency } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';
import { LocalText } from '../platform/local-text.ts';
import { Fact, orderStates } from './order-state.ts';

/** What the player saw and agreed to. The catalogue may change; this does not. */
const Snapshot = z.object({
  gameName: LocalText,
  serverName: LocalText,
  roleName: z.string(),
  itemName: LocalText,
  unit: LocalText,
  art: z.string(),
  sku: z.string(),
  /** Per pack, as text: JSON has no exact number of that size. */
  quantity: z.string(),
  giftQuantity: z.string(),
});
type Snapshot = z.output<typeof Snapshot>;

const OrderRow = z.object({
  account_id: z.uuid(),
  payment_id: z.uuid(),
  site_id: z.string(),
  game_id: z.string(),
  server_id: z.string(),
  role_id: z.string(),
  game_account_id: z.string(),
  item_id: z.string(),
  pack_count: z.int(),
  order_type: z.enum(['foreign', 'internal']),
  method: z.enum(PaymentMethod.def.entries),
  system: z.enum(['ios', 'android']),
  currency: z.enum(Currency.def.entries),
  amount_minor: z.bigint(),
  snapshot: Snapshot,
  state: z.enum(orderStates),
  closed_reason: z.enum(['expired', 'cancelled']).nullable(),
  review_reason: z.string().nullable(),
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

export function selectEvents(db: Db | Tx, key: OrderKey): Promise<EventRow[]> {
  return db.many(
    EventRow,
    sql`
      select seq, fact_key, fact, state_before, state_after, at from order_events
      where ${isOrder(key)} order by seq limit 1000`,
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
  siteId: string;
  gameId: string;
  serverId: string;
  roleId: string;
  gameAccountId: string;
  itemId: string;
  packCount: number;
  orderType: 'foreign' | 'internal';
  method: string;
  system: 'ios' | 'android';
  currency: string;
  amountMinor: bigint;
  snapshot: Snapshot;
  expireMinutes: number;
}

export function insertOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  return tx.one(
    OrderRow,
    sql`
      insert into orders
        (account_id, payment_id, site_id, game_id, server_id, role_id, game_account_id, item_id,
         pack_count, order_type, method, system, currency, amount_minor, snapshot, expire_at)
      values
        (${order.accountId}, ${order.paymentId}, ${order.siteId}, ${order.gameId},
         ${order.serverId}, ${order.roleId}, ${order.gameAccountId}, ${order.itemId},
         ${order.packCount}, ${order.orderType}, ${order.method}, ${order.system},
         ${order.currency}, ${order.amountMinor}, ${JSON.stringify(order.snapshot)},
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
  next: { state: string; reviewReason: string | null; version: number },
): Promise<OrderRow> {
  return tx.one(
    OrderRow,
    sql`
      update orders set
        state = ${next.state},
        review_reason = ${next.reviewReason},
        version = ${next.version},
        closed_reason = case when ${next.state} = 'closed' then coalesce(closed_reason, 'expired') end,
        paid_at = case when ${next.state} in ('paid', 'arrived') then coalesce(paid_at, now()) else paid_at end,
        arrived_at = case when ${next.state} = 'arrived' then coalesce(arrived_at, now()) else arrived_at end
      where ${isOrder({ accountId: order.account_id, paymentId: order.payment_id })}
        and version = ${order.version}
      returning *`,
  );
}

/**
 * Unpaid orders past their time, oldest first. Two workers never get the same ones at once. Orders
 * under review stay open for an operator and would only stand in the way of the others.
 */
export function selectExpired(tx: Tx, { rowsMax }: { rowsMax: number }): Promise<OrderKeyRow[]> {
  return tx.many(
    OrderKeyRow,
    sql`
      select account_id, payment_id from orders
      where state in ('created', 'paying') and expire_at < now() and review_reason is null
      order by expire_at limit ${rowsMax} for update skip locked`,
  );
}

const OrderKeyRow = z.object({ account_id: z.uuid(), payment_id: z.uuid() });
type OrderKeyRow = z.output<typeof OrderKeyRow>;
