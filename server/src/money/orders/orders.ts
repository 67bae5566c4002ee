import { createHash } from 'node:crypto';
import { pointsUnit } from '@pointgate/contract/money.ts';
import type { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { derivedId, newId } from '../../platform/ids.ts';
import { postStep } from './order-books.ts';
import { type OrderEffects, runEffects } from './order-effects.ts';
import { Fact, factKey, factsOf } from './order-fact.ts';
import { type Projection, project, requireLegal } from './order-state.ts';
import {
  type EventRow,
  insertEvent,
  insertOrder,
  insertOrderKey,
  lockUnpaidOrders,
  type NewOrder,
  type OrderFilter,
  type OrderKey,
  type OrderRow,
  selectEvents,
  selectOrder,
  selectOrderKey,
  selectOrderLocked,
  selectOrders,
  selectOrdersById,
  selectOwner,
  selectTakers,
  selectUnpaidOrders,
  takeExpired,
  updateState,
} from './orders.queries.ts';

export type Order = OrderRow;
export type OrderEvent = EventRow;

/** Everything that a player decides about an order. */
export type OrderIntent = Omit<NewOrder, 'paymentId'> & { clientOrderId: string };

/**
 * Places an order once per `clientOrderId`. A repeated intent returns the same order; the same id
 * with a different intent is refused.
 */
export async function placeOrder(
  tx: Tx,
  intent: OrderIntent,
  intentBody: string,
): Promise<{ order: Order; isNew: boolean }> {
  const { clientOrderId, accountId } = intent;
  const bodyHash = hashOf(intentBody);
  const paymentId = newId();
  const isFirst = await insertOrderKey(tx, { accountId, paymentId, clientOrderId, bodyHash });
  if (isFirst) return { order: await insertOrder(tx, { ...intent, paymentId }), isNew: true };

  const placed = await findPlacedOrder(tx, { accountId, clientOrderId, intentBody });
  if (placed === undefined) throw new Error(`order key ${clientOrderId} has no order`);
  return { order: placed, isNew: false };
}

/** The order already placed for an intent. Refuses an id that was used for a different intent. */
export async function findPlacedOrder(
  db: Db | Tx,
  key: { accountId: string; clientOrderId: string; intentBody: string },
): Promise<Order | undefined> {
  const known = await selectOrderKey(db, key);
  if (known === undefined) return undefined;
  if (!known.body_hash.equals(hashOf(key.intentBody))) throw new AppError('InvalidParams');
  return await selectOrder(db, { accountId: key.accountId, paymentId: known.payment_id });
}

/**
 * The number of unpaid orders of an account and the first expiry among them. Concurrent calls wait
 * for the transaction to end, so that orders placed at the same time are all counted.
 */
export async function openUnpaidOrders(
  tx: Tx,
  accountId: string,
): Promise<{ count: number; nextExpiry: Date }> {
  await lockUnpaidOrders(tx, accountId);
  const { count, next_expiry: nextExpiry } = await selectUnpaidOrders(tx, accountId);
  return { count, nextExpiry: nextExpiry ?? new Date() };
}

export async function findOrder(db: Db | Tx, key: OrderKey): Promise<Order | undefined> {
  return await selectOrder(db, key);
}

/** Finds an order by its payment id alone. For operators, never for players. */
export async function findOrderKey(db: Db, paymentId: string): Promise<OrderKey | undefined> {
  return await selectOwner(db, paymentId);
}

/** Newest first; `after` is the last payment id of the previous page. */
export async function listOrders(db: Db, filter: OrderFilter): Promise<Order[]> {
  return await selectOrders(db, filter);
}

/** The orders among these that belong to the account. */
export async function findOrders(
  db: Db,
  key: { accountId: string; paymentIds: readonly string[] },
): Promise<Order[]> {
  return await selectOrdersById(db, key);
}

export async function orderEvents(db: Db | Tx, key: OrderKey): Promise<OrderEvent[]> {
  return await selectEvents(db, key);
}

/** The contracts that took money for an order, or `epoint`. */
export async function takersOf(db: Db | Tx, key: OrderKey): Promise<string[]> {
  return await selectTakers(db, key);
}

/** Locks the order until the transaction ends, so that it does not change meanwhile. */
export async function lockOrder(tx: Tx, key: OrderKey): Promise<Order | undefined> {
  return await selectOrderLocked(tx, key);
}

/**
 * Locks the order, adds facts and moves the order to the resulting state. Known facts change
 * nothing, so webhooks and provider queries may be repeated.
 */
export async function recordFacts(
  tx: Tx,
  effects: OrderEffects,
  key: OrderKey,
  added: readonly Fact[],
): Promise<Order> {
  const order = await selectOrderLocked(tx, key);
  if (order === undefined) throw new Error(`there is no order ${key.paymentId}`);
  const events = await selectEvents(tx, key);
  const known = new Map(events.map((event) => [event.fact_key, event.fact]));
  const isKnown = (fact: Fact) => known.has(factKey(fact));
  const before = project(dueOf(order), [...known.values()]);

  const learnt: Fact[] = [];
  const queue = [...added];
  let current = before;
  for (let fact = queue.shift(); fact !== undefined; fact = queue.shift()) {
    if (!isKnown(fact)) {
      known.set(factKey(fact), fact);
      const next = project(dueOf(order), [...known.values()]);
      requireLegal(current.state, next.state);
      learnt.push(fact);
      await insertEvent(tx, {
        ...key,
        seq: order.version + learnt.length,
        factKey: factKey(fact),
        factJson: JSON.stringify(z.encode(Fact, fact)),
        stateBefore: current.state,
        stateAfter: next.state,
      });
      current = next;
    }
    // Runs even if the last fact is a duplicate, because an earlier one may have been new.
    if (queue.length === 0) {
      const sentBack = await sendBackUnlawful(tx, effects, { order, before, current });
      const follows = sentBack.length > 0 ? sentBack : consequences(order, current, learnt);
      queue.push(...follows.filter((next) => !isKnown(next)));
    }
  }
  if (learnt.length === 0) return order;

  const version = order.version + learnt.length;
  await postStep(tx, { order, before, after: current, version });
  const moved = await updateState(tx, order, { ...current, version });
  await runEffects(tx, effects, { key, before, after: current, order: moved, learnt });
  return moved;
}

/** A refund request. Repeating the same `refundId` requests nothing more. */
export interface RefundAsked {
  refundId: string;
  /** Null means everything that is left. */
  amountMinor: bigint | null;
  reason: RefundReason;
  by: string;
  /** Null means the capture that pays for the order. */
  captureId: string | null;
}

/**
 * Locks the order, so that concurrent refunds never add up to more than was captured. Throws
 * `RefundTooLarge` if less is left than was requested.
 */
export async function requestRefund(
  tx: Tx,
  effects: OrderEffects,
  key: OrderKey,
  asked: RefundAsked,
): Promise<Order> {
  const order = await selectOrderLocked(tx, key);
  if (order === undefined) throw new AppError('PaymentIdWrong');
  const facts = (await selectEvents(tx, key)).map(({ fact }) => fact);
  const isKnown = factsOf(facts, 'refund_requested').some(
    ({ refundId }) => refundId === asked.refundId,
  );
  if (isKnown) return order;
  const capture = captureToRefund(order, facts, asked);
  const amountMinor = asked.amountMinor ?? capture?.refundableMinor ?? 0n;
  if (capture === undefined || amountMinor <= 0n || amountMinor > capture.refundableMinor) {
    throw new AppError('RefundTooLarge');
  }
  return await recordFacts(tx, effects, key, [
    {
      type: 'refund_requested',
      refundId: asked.refundId,
      captureId: capture.captureId,
      amountMinor,
      currency: capture.currency,
      reason: asked.reason,
      by: asked.by,
    },
  ]);
}

function captureToRefund(order: Order, facts: readonly Fact[], asked: RefundAsked) {
  const { captures } = project(dueOf(order), facts).money;
  if (asked.captureId !== null) {
    return captures.find(({ captureId }) => captureId === asked.captureId);
  }
  return captures
    .filter(({ misfit }) => misfit === null)
    .toSorted((left, right) => (left.refundableMinor > right.refundableMinor ? -1 : 1))[0];
}

/**
 * Takes expired unpaid orders, each at most once in `againMinutes`, with the provider contract that
 * has to close an open payment first.
 */
export async function takeExpiredOrders(
  tx: Tx,
  limits: { againMinutes: number; rowsMax: number; fromId: string },
): Promise<{ key: OrderKey; psp: string | null }[]> {
  const rows = await takeExpired(tx, limits);
  return rows.map(({ account_id: accountId, payment_id: paymentId, psp }) => ({
    key: { accountId, paymentId },
    psp,
  }));
}

export function keyOf(order: Order): OrderKey {
  return { accountId: order.account_id, paymentId: order.payment_id };
}

/**
 * An order in the state paying reserves its share of the legal limits; an order in the states
 * created or closed has released it. A payment that arrives then and exceeds a limit is refunded at
 * once.
 */
async function sendBackUnlawful(
  tx: Tx,
  effects: OrderEffects,
  { order, before, current }: { order: Order; before: Projection; current: Projection },
): Promise<Fact[]> {
  const heldRoom = before.state !== 'created' && before.state !== 'closed';
  if (heldRoom || current.state !== 'paid' || order.currency === pointsUnit) return [];
  if (await effects.takeAgain(tx, order)) return [];
  const capture = current.money.captures.find(
    ({ misfit, amountMinor, goneMinor }) => misfit === null && goneMinor < amountMinor,
  );
  if (capture === undefined) throw new Error('the paid order has no capture');
  const { captureId, currency, amountMinor, goneMinor } = capture;
  return [
    {
      type: 'refund_requested',
      refundId: derivedId('over_limit', order.payment_id, captureId),
      captureId,
      amountMinor: amountMinor - goneMinor,
      currency,
      reason: 'over_limit',
      by: 'shop',
    },
  ];
}

/** Facts that follow directly from others, without any call to another system. */
function consequences(order: Order, { state, money }: Projection, learnt: readonly Fact[]): Fact[] {
  const facts: Fact[] = [];
  // Points are granted in the transaction that makes their order paid.
  if (order.kind === 'points' && state === 'paid' && !money.isDisputed) {
    facts.push({ type: 'delivered' });
  }
  for (const fact of factsOf(learnt, 'refund_requested')) {
    // A refund in points is done at once, because the shop owns the wallet.
    const { refundId, captureId, amountMinor, currency } = fact;
    if (currency !== pointsUnit) continue;
    facts.push({
      type: 'refund_settled',
      refundId,
      captureId,
      amountMinor,
      currency,
      outcome: 'done',
    });
  }
  if (money.surplusMinor > 0n) facts.push(...surplusRefunds(order, money, learnt));
  return facts;
}

/** Refunds of second payments; of several captures the ones recorded last are refunded. */
function surplusRefunds(order: Order, money: Projection['money'], learnt: readonly Fact[]): Fact[] {
  const late = factsOf(learnt, 'captured').map(({ captureId }) => captureId);
  const candidates = money.captures
    .filter(
      ({ misfit, refundableMinor }) => misfit === null && refundableMinor >= order.amount_minor,
    )
    .toSorted(
      (left, right) => late.lastIndexOf(right.captureId) - late.lastIndexOf(left.captureId),
    );
  const count = Number((money.surplusMinor + order.amount_minor - 1n) / order.amount_minor);
  return candidates.slice(0, count).map(({ captureId, currency }) => ({
    type: 'refund_requested',
    refundId: derivedId('duplicate', order.payment_id, captureId),
    captureId,
    amountMinor: order.amount_minor,
    currency,
    reason: 'duplicate',
    by: 'shop',
  }));
}

function hashOf(intentBody: string): Buffer {
  return createHash('sha256').update(intentBody).digest();
}

export function dueOf(order: Order) {
  return { amountMinor: order.amount_minor, currency: order.currency };
}
