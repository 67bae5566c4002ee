import { createHash } from 'node:crypto';
import { z } from 'zod';
import { postTransfer } from '../ledger/ledger.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { Fact, factKey, legalMoves, type OrderState, project } from './order-state.ts';
import {
  type EventRow,
  insertEvent,
  insertOrder,
  insertOrderKey,
  lockOrder,
  type NewOrder,
  type OrderKey,
  type OrderRow,
  selectEvents,
  selectExpired,
  selectOrder,
  selectOrderKey,
  updateState,
} from './orders.queries.ts';

export type Order = OrderRow;
export type OrderEvent = EventRow;

/** What follows from a move, in the same transaction. */
export interface OrderEffects {
  /** Money is there and fits: see to the delivery. */
  onPaid(tx: Tx, order: Order): Promise<void>;
  /** Called after the commit, for whoever is looking at the order. */
  onMoved(key: OrderKey): void;
}

/** Everything a player decides of an order; together with the account it is the order's intent. */
export type OrderIntent = Omit<NewOrder, 'paymentId'> & { clientOrderId: string };

/**
 * Places an order, once per `clientOrderId`. The same intent again answers the same order; the same
 * id for something else is refused.
 */
export async function placeOrder(tx: Tx, intent: OrderIntent, intentBody: string): Promise<Order> {
  const { clientOrderId, accountId } = intent;
  const bodyHash = hashOf(intentBody);
  const paymentId = newId();
  const isFirst = await insertOrderKey(tx, { accountId, paymentId, clientOrderId, bodyHash });
  if (isFirst) return await insertOrder(tx, { ...intent, paymentId });

  const placed = await findPlacedOrder(tx, { accountId, clientOrderId, intentBody });
  if (placed === undefined) throw new Error(`order key ${clientOrderId} leads nowhere`);
  return placed;
}

/** The order an intent made already. Refuses an id that was used for another intent. */
export async function findPlacedOrder(
  db: Db | Tx,
  key: { accountId: string; clientOrderId: string; intentBody: string },
): Promise<Order | undefined> {
  const known = await selectOrderKey(db, key);
  if (known === undefined) return undefined;
  if (!known.body_hash.equals(hashOf(key.intentBody))) throw new AppError('InvalidParams');
  return await selectOrder(db, { accountId: key.accountId, paymentId: known.payment_id });
}

export async function findOrder(db: Db | Tx, key: OrderKey): Promise<Order | undefined> {
  return await selectOrder(db, key);
}

export async function orderEvents(db: Db, key: OrderKey): Promise<OrderEvent[]> {
  return await selectEvents(db, key);
}

/** Locks the order until the transaction ends, so that what is decided about it stays true. */
export async function holdOrder(tx: Tx, key: OrderKey): Promise<Order | undefined> {
  return await lockOrder(tx, key);
}

/**
 * Adds what became known and moves the order to the state that follows from all of it. Locks the
 * order. Facts it has already change nothing, so webhooks and queries may repeat themselves.
 */
export async function recordFacts(
  tx: Tx,
  effects: OrderEffects,
  key: OrderKey,
  added: readonly Fact[],
): Promise<Order> {
  const order = await lockOrder(tx, key);
  if (order === undefined) throw new Error(`there is no order ${key.paymentId}`);
  const events = await selectEvents(tx, key);
  const known = new Map(events.map((event) => [event.fact_key, event.fact]));
  let state: OrderState = order.state;
  let seq = order.version;
  for (const fact of added) {
    if (known.has(factKey(fact))) continue;
    if (fact.type === 'captured') await postCapture(tx, key, fact, [...known.values()]);
    known.set(factKey(fact), fact);
    const stateAfter = project(dueOf(order), [...known.values()]).state;
    seq += 1;
    await insertEvent(tx, {
      ...key,
      seq,
      factKey: factKey(fact),
      factJson: JSON.stringify(z.encode(Fact, fact)),
      stateBefore: state,
      stateAfter,
    });
    requireLegal(state, stateAfter);
    state = stateAfter;
  }
  if (seq === order.version) return order;

  const { reviewReason } = project(dueOf(order), [...known.values()]);
  const moved = await updateState(tx, order, { state, reviewReason, version: seq });
  if (reviewReason !== null && reviewReason !== order.review_reason) {
    log.error({ reviewReason }, 'money that does not fit its order');
  }
  await follow(tx, effects, { before: order, after: moved });
  return moved;
}

/** Hands over unpaid orders past their time. They stay locked until the transaction ends. */
export async function expiredOrders(tx: Tx, { rowsMax }: { rowsMax: number }): Promise<OrderKey[]> {
  const rows = await selectExpired(tx, { rowsMax });
  return rows.map((row) => ({ accountId: row.account_id, paymentId: row.payment_id }));
}

export function keyOf(order: Order): OrderKey {
  return { accountId: order.account_id, paymentId: order.payment_id };
}

async function follow(
  tx: Tx,
  effects: OrderEffects,
  { before, after }: { before: Order; after: Order },
): Promise<void> {
  const key = keyOf(after);
  tx.afterCommit(() => effects.onMoved(key));
  if (before.state === after.state) return;
  if (after.state === 'paid') await effects.onPaid(tx, after);
  if (after.state === 'arrived') {
    await postTransfer(tx, {
      accountId: key.accountId,
      originId: key.paymentId,
      posting: 'arrived',
      debit: 'player:deposit',
      credit: 'house:sales',
      money: dueOf(after),
    });
  }
}

type Captured = Extract<Fact, { type: 'captured' }>;

/**
 * Whatever a provider captured is in our books, whether it fits the order or not. Of a capture that
 * the provider gives several amounts for, the largest counts, as it does for the order's state.
 */
async function postCapture(
  tx: Tx,
  key: OrderKey,
  fact: Captured,
  known: readonly Fact[],
): Promise<void> {
  const { captureId, attemptId, currency } = fact;
  const earlier = known.filter(
    (other): other is Captured => other.type === 'captured' && other.captureId === captureId,
  );
  let postedMinor = 0n;
  for (const other of earlier) {
    const isSame = other.attemptId === attemptId && other.currency === currency;
    if (isSame && other.amountMinor > postedMinor) postedMinor = other.amountMinor;
  }
  if (earlier.length > 0 && fact.amountMinor <= postedMinor) return;
  await postTransfer(tx, {
    accountId: key.accountId,
    originId: key.paymentId,
    posting: earlier.length === 0 ? `captured:${captureId}` : factKey(fact),
    debit: 'house:psp',
    credit: 'player:deposit',
    money: { amountMinor: fact.amountMinor - postedMinor, currency },
  });
}

function hashOf(intentBody: string): Buffer {
  return createHash('sha256').update(intentBody).digest();
}

function dueOf(order: Order) {
  return { amountMinor: order.amount_minor, currency: order.currency };
}

function requireLegal(before: OrderState, after: OrderState): void {
  if (before === after || legalMoves[before].includes(after)) return;
  throw new Error(`an order cannot move from ${before} to ${after}`);
}
