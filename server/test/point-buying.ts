import { randomUUID } from 'node:crypto';
import { OrderDetail } from '@pointgate/contract/orders.ts';
import { pointBalance } from '@pointgate/contract/points.ts';
import { z } from 'zod';
import { grantTopUp } from '../src/money/points/points.ts';
import { newId } from '../src/platform/ids.ts';
import { type Buyer, givenOrder, openPage, payAtProvider, untilShown } from './buying.ts';
import type { OrderKey } from './orders.ts';
import { type Reply, send, type TestShop } from './shop.ts';

/** Requests an order for 500 points with 25 as a gift, for 4.99 USD. */
export async function createPointsOrder(
  shop: TestShop,
  { cookie }: { cookie: string | undefined },
  changes: object = {},
): Promise<Reply> {
  const body = {
    clientOrderId: randomUUID(),
    itemId: 'epoint_500',
    quantity: 1,
    method: 'card',
    system: 'android',
    ...changes,
  };
  return await send(shop, '/api/payment/order/create/epoint', { cookie, body });
}

export async function givenPointsOrder(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const { data } = await createPointsOrder(shop, buyer, changes);
  const { paymentId } = z.object({ paymentId: z.uuid() }).parse(data);
  return { accountId: buyer.accountId, paymentId };
}

/** A top-up by card that was delivered to the wallet. Needs a worker. */
export async function givenTopUp(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const order = await givenPointsOrder(shop, buyer, changes);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order;
}

/** Adds points to a wallet without an order. */
export async function givenPoints(
  { db }: TestShop,
  { accountId }: { accountId: string },
  points: { basic?: bigint; present?: bigint; presentExpiresAt?: Date },
): Promise<void> {
  const { basic = 0n, present = 0n, presentExpiresAt = null } = points;
  await db.transaction((tx) =>
    grantTopUp(tx, { accountId, originId: newId(), basic, present, presentExpiresAt }),
  );
}

/** An order for 300 shards that costs 500 points. */
export async function givenOrderInPoints(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  return await givenOrder(shop, buyer, { method: 'epoint', ...changes });
}

export async function payWithPoints(
  shop: TestShop,
  { cookie }: { cookie: string | undefined },
  { paymentId }: { paymentId: string },
): Promise<Reply> {
  return await send(shop, '/api/payment/order/epoint/pay', { cookie, body: { paymentId } });
}

/** An order that was paid with points. */
export async function givenPaidInPoints(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const order = await givenOrderInPoints(shop, buyer, changes);
  const { data } = await payWithPoints(shop, buyer, order);
  if (OrderDetail.parse(data).paidAt === null) throw new Error('the order was not paid');
  return order;
}

/** The balance as the player sees it. */
export async function balanceOf(shop: TestShop, { cookie, gameAccountId }: Buyer) {
  const { data } = await send(shop, pointBalance.path, { cookie, body: { userId: gameAccountId } });
  return pointBalance.reply.parse(data);
}
