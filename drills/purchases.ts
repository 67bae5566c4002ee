import { randomUUID } from 'node:crypto';
import {
  createOrder,
  createPointsOrder,
  type OrderDetail,
  orderDetail,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import { waitUntil } from '../tools/process/wait-until.ts';
import type { AcknowledgementLog } from './acknowledgements.ts';
import type { Player } from './players.ts';
import { payPage, type SandboxClient } from './sandbox-client.ts';
import { callOrThrow, callUntilClear } from './shop.ts';

/** The provider and the record of acknowledgements, which every purchase needs. */
export interface PurchaseContext {
  provider: SandboxClient;
  acknowledgements: AcknowledgementLog;
}

const packs = ['shards_60', 'shards_300', 'shards_980'];

/** Places an order for a pack, with card, PayPal or points as payment method. */
export async function orderPack(
  context: PurchaseContext,
  player: Player,
  method: 'card' | 'paypal' | 'epoint',
): Promise<OrderDetail> {
  const { random, receiver } = player;
  const clientOrderId = randomUUID();
  const body = {
    ...receiver,
    clientOrderId,
    itemId: random.pick(packs),
    quantity: 1 + random.below(3),
    method,
  };
  // Some players double-click, so the call is sent twice.
  const clicks = random.percent(15) ? 2 : 1;
  const placed = await Promise.all(
    Array.from({ length: clicks }, () => callOrThrow(player, createOrder, body)),
  );
  for (const order of placed) notePlaced(context, { clientOrderId, order });
  const [order] = placed;
  if (order === undefined) throw new Error('No order was placed.');
  return order;
}

/** Places a card order for a pack of E Points. */
export async function orderPoints(
  context: PurchaseContext,
  player: Player,
  pack: { itemId: string; quantity: number },
): Promise<OrderDetail> {
  const clientOrderId = randomUUID();
  const { system } = player.receiver;
  const body = { ...pack, clientOrderId, method: 'card' as const, system };
  const order = await callOrThrow(player, createPointsOrder, body);
  notePlaced(context, { clientOrderId, order });
  return order;
}

/** Opens the provider's page of an order and pays there. */
export async function payByCard(
  context: PurchaseContext,
  player: Player,
  paymentId: string,
): Promise<void> {
  const sessionId = await openPage(context, player, paymentId);
  await payPage(context.provider, sessionId);
  context.acknowledgements.record({ what: 'charged', paymentId });
}

/** Pays an order with points, if the balance suffices. */
export async function payFromBalance(
  context: PurchaseContext,
  player: Player,
  { paymentId, amountMinor }: OrderDetail,
): Promise<boolean> {
  const settled = await callUntilClear(player, payWithPoints, { paymentId });
  if (settled.kind === 'done') {
    const points = amountMinor.toString();
    context.acknowledgements.record({ what: 'spent', paymentId, points });
    return true;
  }
  if (settled.code !== 'EPointInsufficient' && settled.code !== 'EPointDebt') {
    throw new Error(`Order ${paymentId} cannot be paid: ${settled.code}`);
  }
  context.acknowledgements.record({ what: 'unaffordable', paymentId });
  return false;
}

/** Waits until the order is delivered. */
export async function untilFulfilled(
  player: Player,
  paymentId: string,
  timeoutMs: number,
): Promise<void> {
  await waitUntil(
    async () => (await callOrThrow(player, orderDetail, { paymentId })).shown === 'Fulfilled',
    { timeoutMs, what: `order ${paymentId} is paid and does not arrive` },
  );
}

export async function openPage(
  context: PurchaseContext,
  player: Player,
  paymentId: string,
): Promise<string> {
  const { action } = await callOrThrow(player, payOrder, { paymentId });
  if (action.kind !== 'redirect') throw new Error(`Order ${paymentId} has no page to pay on.`);
  const sessionId = new URL(action.url).pathname.split('/').pop();
  if (sessionId === undefined) throw new Error(`${action.url} names no session.`);
  context.acknowledgements.record({ what: 'opened', paymentId, sessionId });
  return sessionId;
}

function notePlaced(
  context: PurchaseContext,
  placed: { clientOrderId: string; order: OrderDetail },
): void {
  const { paymentId, accountId, amountMinor, currency } = placed.order;
  context.acknowledgements.record({
    what: 'placed',
    accountId,
    clientOrderId: placed.clientOrderId,
    paymentId,
    amountMinor: amountMinor.toString(),
    currency,
  });
}
