import { OrderDetail } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { sql } from '../src/platform/db.ts';
import type { OrderKey } from './orders.ts';
import {
  eventually,
  givenOrderBody,
  givenPlayer,
  type Reply,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from './shop.ts';

/** A signed-in player with the body of an order for a pack. */
export interface Buyer extends TestPlayer {
  cookie: string;
  body: Record<string, unknown> & { clientOrderId: string };
}

export async function givenBuyer(shop: TestShop): Promise<Buyer> {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  return { ...player, cookie, body: await givenOrderBody(shop, cookie) };
}

export async function createOrder(
  shop: TestShop,
  { cookie, body }: Buyer,
  changes: object = {},
): Promise<Reply> {
  const clientOrderId = crypto.randomUUID();
  return await send(shop, '/api/payment/order/create', {
    cookie,
    body: { ...body, clientOrderId, ...changes },
  });
}

export async function givenOrder(
  shop: TestShop,
  buyer: Buyer,
  changes: object = {},
): Promise<OrderKey> {
  const { data } = await createOrder(shop, buyer, changes);
  const { paymentId } = z.object({ paymentId: z.uuid() }).parse(data);
  return { accountId: buyer.accountId, paymentId };
}

export async function pay(
  shop: TestShop,
  { cookie }: Buyer,
  { paymentId }: { paymentId: string },
  headers: Record<string, string> = {},
): Promise<Reply> {
  return await send(shop, '/api/payment/order/pay', { cookie, body: { paymentId }, headers });
}

/** Opens the provider's page and returns the id of its session. */
export async function openPage(shop: TestShop, buyer: Buyer, order: OrderKey): Promise<string> {
  return sessionOf(await pay(shop, buyer, order));
}

export function sessionOf(reply: Reply): string {
  const { action } = z.object({ action: z.object({ url: z.url() }) }).parse(reply.data);
  const sessionId = new URL(action.url).pathname.split('/').pop();
  if (sessionId === undefined) throw new Error('the payment page has no session');
  return sessionId;
}

/** Pays on the provider's page; an override changes the charge. */
export async function payAtProvider(
  shop: TestShop,
  sessionId: string,
  override: { amount?: number; currency?: string } = {},
): Promise<void> {
  await shop.stripe.tell(`/__sandbox/sessions/${sessionId}/pay`, override);
}

export async function detailOf(
  shop: TestShop,
  { cookie }: Buyer,
  { paymentId }: { paymentId: string },
): Promise<OrderDetail> {
  const { data } = await send(shop, '/api/payment/order/detail', { cookie, body: { paymentId } });
  return OrderDetail.parse(data);
}

export async function untilShown(
  shop: TestShop,
  buyer: Buyer,
  order: OrderKey,
  shown: OrderDetail['shown'],
): Promise<OrderDetail> {
  return await eventually(async () => {
    const detail = await detailOf(shop, buyer, order);
    return detail.shown === shown && detail;
  });
}

const Grants = z.object({ grants: z.array(z.object({ sku: z.string(), quantity: z.int() })) });

/** The grants of the game for an order. */
export async function grantsOf(shop: TestShop, { paymentId }: { paymentId: string }) {
  return Grants.parse(await shop.game.ask(`/__sandbox/grants?paymentId=${paymentId}`)).grants;
}

const Charges = z.object({ charges: z.array(z.object({ amount: z.int(), currency: z.string() })) });

/** The charges of the provider for an order. */
export async function chargesOf(shop: TestShop, { paymentId }: { paymentId: string }) {
  return Charges.parse(await shop.stripe.ask(`/__sandbox/charges?paymentId=${paymentId}`)).charges;
}

const Sessions = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      amount_total: z.int(),
      currency: z.string(),
      locale: z.string(),
      metadata: z.object({ paymentId: z.string(), attemptId: z.string() }),
    }),
  ),
});

/** The provider's sessions for an order. */
export async function sessionsOf(shop: TestShop, { paymentId }: { paymentId: string }) {
  const { sessions } = Sessions.parse(await shop.stripe.ask('/__sandbox/records'));
  return sessions.filter(({ metadata }) => metadata.paymentId === paymentId);
}

/** Adds an item to the demo game, with the given changes. */
export async function givenItem(
  { db }: TestShop,
  itemId: string,
  changes: { systems?: string[]; isForSale?: boolean; currency?: string; priceMinor?: bigint } = {},
): Promise<void> {
  const { systems = ['ios', 'android'], isForSale = true } = changes;
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into items (id, game_id, group_id, sku, name, unit, quantity, gift_quantity, tier, art,
                         systems, is_for_sale, position)
      select ${itemId}, game_id, group_id, sku, name, unit, quantity, gift_quantity, tier, art,
             ${systems}, ${isForSale}, 99
      from items where id = 'shards_300'`);
    await tx.run(sql`
      insert into item_prices (item_id, currency, amount_minor)
      values (${itemId}, ${changes.currency ?? 'USD'}, ${changes.priceMinor ?? 499n})`);
  });
}

/** Adds an item limited to one pack per account, and waits until the shop has read it. */
export async function givenOncePerAccount(
  { db, catalogue }: TestShop,
  itemId: string,
): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update items set limit_packs = 1, limit_per = 'account', limit_period = 'ever'
      where id = ${itemId}`),
  );
  const asked = { gameId: 'solmere', system: 'android', currency: 'USD', country: null } as const;
  await eventually(async () => {
    const offer = await catalogue.offer({ ...asked, itemId });
    return typeof offer === 'object' && offer.goods.quota !== null;
  });
}

const RoleList = z.object({ roles: z.array(z.object({ roleId: z.string() })) });

/** The body of an order for another server, with the player's role there. */
export async function bodyFor(
  shop: TestShop,
  { cookie, body }: Buyer,
  serverId: string,
): Promise<Buyer['body']> {
  const { data } = await send(shop, '/api/character/role/list', {
    cookie,
    body: { gameId: body.gameId, serverId },
  });
  return { ...body, serverId, roleId: RoleList.parse(data).roles[0]?.roleId };
}

const Count = z.object({ count: z.int() });

export async function countOrders({ db }: TestShop, { accountId }: TestPlayer): Promise<number> {
  const { count } = await db.one(
    Count,
    sql`select count(*)::int from orders where account_id = ${accountId}`,
  );
  return count;
}
