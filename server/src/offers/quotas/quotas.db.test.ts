import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenItem,
  givenOrder,
} from '../../../test/buying.ts';
import { captured, closed, expired, first, opened } from '../../../test/facts.ts';
import { givenPlacedOrder, letExpire, type OrderKey } from '../../../test/orders.ts';
import { createPointsOrder } from '../../../test/point-buying.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import type { Fact } from '../../money/orders/order-fact.ts';
import { findOrder, recordFacts } from '../../money/orders/orders.ts';
import { sql } from '../../platform/db.ts';
import { type Quota, showLimits, takeQuota } from './quotas.ts';
import { spanAt } from './spans.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set time_zone = 'Asia/Shanghai' where id = 'solmere'`),
  );
  for (const [itemId, packs, per, period] of [
    ['once', 1, 'account', 'ever'],
    ['twice_a_day', 2, 'account', 'day'],
    ['once_a_role', 1, 'role', 'week'],
  ] as const) {
    await givenItem(shop, itemId);
    await shop.db.transaction((tx) =>
      tx.run(sql`
        update items set limit_packs = ${packs}, limit_per = ${per}, limit_period = ${period}
        where id = ${itemId}`),
    );
  }
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update point_packs set limit_packs = 1, limit_per = 'account', limit_period = 'month'
      where id = 'epoint_100'`),
  );
  const asked = { gameId: 'solmere', system: 'ios', currency: 'USD', country: null } as const;
  await eventually(async () => {
    const offer = await shop.catalogue.offer({ ...asked, itemId: 'once_a_role' });
    const site = await shop.sites.byId('solmere');
    const pack = await shop.catalogue.offerPack({ ...asked, itemId: 'epoint_100' });
    const isLimited = typeof pack === 'object' && pack.goods.quota !== null;
    return typeof offer === 'object' && isLimited && site?.timeZone === 'Asia/Shanghai';
  });
});
afterAll(() => shop.closeAll());

async function limitOf(buyer: Buyer, itemId: string, more: object = {}) {
  const body = { gameId: 'solmere', system: 'android', ...more };
  const { data } = await send(shop, itemGroups.path, { cookie: buyer.cookie, body });
  const { groups } = z.decode(itemGroups.reply, data as never); // as: decode checks it
  return groups.flatMap(({ items }) => items).find((item) => item.itemId === itemId)?.limit;
}

const Placed = z.object({ paymentId: z.uuid() });

const tell = (order: OrderKey, fact: Fact) =>
  shop.db.transaction((tx) => recordFacts(tx, shop.effects, order, [fact]));
const expire = (order: OrderKey) => tell(order, expired);

describe('purchase limits', () => {
  test('a purchase limit of one accepts exactly one of fifty concurrent orders', async () => {
    const buyer = await givenBuyer(shop);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => createOrder(shop, buyer, { itemId: 'once' })),
    );
    const codes = replies.map(({ code }) => code);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'PurchaseLimitReached')).toHaveLength(49);
    const orders = await shop.db.many(
      z.object({ payment_id: z.string() }),
      sql`select payment_id from orders where account_id = ${buyer.accountId}`,
    );
    expect(orders).toHaveLength(1);
  });

  test('an order sent several times with one clientOrderId uses up its purchase limit once', async () => {
    const buyer = await givenBuyer(shop);
    const body = { itemId: 'once', clientOrderId: crypto.randomUUID() };
    const replies = await Promise.all([1, 2, 3].map(() => createOrder(shop, buyer, body)));
    replies.push(await createOrder(shop, buyer, body));
    const placed = replies.map(({ data }) => Placed.parse(data).paymentId);
    expect(new Set(placed).size).toBe(1);
    expect(await limitOf(buyer, 'once')).toMatchObject({ packsLeft: 0 });
  });

  test('a purchase limit counts packs, not orders, and shows when it resets', async () => {
    const buyer = await givenBuyer(shop);
    const { endsAt } = spanAt('day', new Date(), 'Asia/Shanghai');
    const limit = { packsMax: 2, per: 'account', period: 'day', resetAt: endsAt?.toISOString() };
    expect(await limitOf(buyer, 'twice_a_day')).toEqual({ ...limit, packsLeft: 2 });
    const three = await createOrder(shop, buyer, { itemId: 'twice_a_day', quantity: 3 });
    expect(three).toMatchObject({
      code: 'PurchaseLimitReached',
      data: { resetAt: limit.resetAt },
    });
    await givenOrder(shop, buyer, { itemId: 'twice_a_day' });
    expect(await limitOf(buyer, 'twice_a_day')).toEqual({ ...limit, packsLeft: 1 });
    const two = await createOrder(shop, buyer, { itemId: 'twice_a_day', quantity: 2 });
    expect(two).toMatchObject({ code: 'PurchaseLimitReached' });
    await givenOrder(shop, buyer, { itemId: 'twice_a_day' });
    expect(await limitOf(buyer, 'twice_a_day')).toEqual({ ...limit, packsLeft: 0 });
  });

  test('a purchase limit per game character counts the purchases of the character named in the request', async () => {
    const buyer = await givenBuyer(shop);
    const { serverId, roleId } = buyer.body;
    await givenOrder(shop, buyer, { itemId: 'once_a_role' });
    expect(await limitOf(buyer, 'once_a_role')).toMatchObject({ packsLeft: null });
    const own = { role: { serverId, roleId } };
    expect(await limitOf(buyer, 'once_a_role', own)).toMatchObject({ packsLeft: 0 });
    const other = { role: { serverId, roleId: 'r_other' } };
    expect(await limitOf(buyer, 'once_a_role', other)).toMatchObject({ packsLeft: 1 });
    const again = await createOrder(shop, buyer, { itemId: 'once_a_role' });
    expect(again).toMatchObject({ code: 'PurchaseLimitReached' });
  });

  test('a purchase limit per game character counts for the last selected character if the request names no character', async () => {
    const buyer = await givenBuyer(shop);
    const { cookie } = buyer;
    const { serverId, roleId } = buyer.body;
    const place = { gameId: 'solmere', serverId, roleId };
    const read = async () => {
      const body = { gameId: 'solmere', system: 'android' };
      const { data } = await send(shop, itemGroups.path, { cookie, body });
      return z.decode(itemGroups.reply, data as never).countedFor; // as: decode checks it
    };
    expect(await read()).toBeNull();
    expect(await limitOf(buyer, 'once_a_role')).toMatchObject({ packsLeft: null });
    await send(shop, '/api/character/info/select', { cookie, body: place });
    expect(await read()).toEqual({ serverId, roleId });
    expect(await limitOf(buyer, 'once_a_role')).toMatchObject({ packsLeft: 1 });
    await givenOrder(shop, buyer, { itemId: 'once_a_role' });
    expect(await limitOf(buyer, 'once_a_role')).toMatchObject({ packsLeft: 0 });
  });

  test('a purchase limit can be set for an E Point pack', async () => {
    const buyer = await givenBuyer(shop);
    const body = { itemId: 'epoint_100' };
    expect(await createPointsOrder(shop, buyer, body)).toMatchObject({ isSuccess: true });
    const again = await createPointsOrder(shop, buyer, body);
    expect(again).toMatchObject({ code: 'PurchaseLimitReached' });
    const { cookie } = buyer;
    const reply = await send(shop, pointPacks.path, { cookie, body: { system: 'ios' } });
    const { packs } = z.decode(pointPacks.reply, reply.data as never); // as: decode checks it
    expect(packs[0]).toMatchObject({ itemId: 'epoint_100', limit: { packsLeft: 0 } });
  });

  test('a purchase limit per account is counted separately for each player', async () => {
    await givenOrder(shop, await givenBuyer(shop), { itemId: 'once' });
    await givenOrder(shop, await givenBuyer(shop), { itemId: 'once' });
  });
});

describe('used purchase limits', () => {
  test('an expired unpaid order gives its share of the purchase limit back once', async () => {
    const buyer = await givenBuyer(shop);
    const order = await givenOrder(shop, buyer, { itemId: 'once' });
    await letExpire(shop.db, order);
    await expire(order);
    await expire(order);
    expect(await limitOf(buyer, 'once')).toMatchObject({ packsLeft: 1 });
    await givenOrder(shop, buyer, { itemId: 'once' });
    expect(await limitOf(buyer, 'once')).toMatchObject({ packsLeft: 0 });
  });

  test('an order paid after its expiry counts towards the purchase limit again if the limit has room left', async () => {
    const buyer = await givenBuyer(shop);
    const order = await givenOrder(shop, buyer, { itemId: 'once' });
    await closeUnpaid(order);
    expect(await limitOf(buyer, 'once')).toMatchObject({ packsLeft: 1 });
    await tell(order, captured(first));
    await tell(order, captured(first));
    expect(await findOrder(shop.db, order)).toMatchObject({ state: 'paid' });
    expect(await limitOf(buyer, 'once')).toMatchObject({ packsLeft: 0 });
  });

  test('an order paid after its expiry is refunded when another order has used up the purchase limit', async () => {
    const buyer = await givenBuyer(shop);
    const order = await givenOrder(shop, buyer, { itemId: 'once' });
    await closeUnpaid(order);
    await givenOrder(shop, buyer, { itemId: 'once' });
    await tell(order, captured(first));
    expect(await findOrder(shop.db, order)).toMatchObject({ state: 'refunding' });
    expect(await limitOf(buyer, 'once')).toMatchObject({ packsLeft: 0 });
  });

  /** Opens a payment page, lets it close and closes the order unpaid. */
  async function closeUnpaid(order: OrderKey) {
    await tell(order, opened(first));
    await expire(order);
    await tell(order, closed(first));
    expect(await findOrder(shop.db, order)).toMatchObject({ state: 'closed' });
  }
});

test('a daily purchase limit resets at midnight in the time zone of the site', async () => {
  const quota: Quota = { packsMax: 1, per: 'account', period: 'day' };
  const timeZone = 'Asia/Shanghai';
  const midnight = new Date('2026-11-15T16:00:00.000Z');
  const before = new Date(midnight.getTime() - 1);
  const { key } = await givenPlacedOrder(shop.db);
  const { accountId } = key;
  const goods = 'item:at_midnight';
  const buy = async (at: Date) => {
    const { key: order } = await givenPlacedOrder(shop.db, { accountId });
    const bought = { goods, quota, packs: 1, role: null, at, timeZone };
    await shop.db.transaction((tx) => takeQuota(tx, order, bought));
  };
  const left = async (at: Date) => {
    const moment = { role: null, at, timeZone };
    return (await showLimits(shop.db, accountId, [{ goods, quota }], moment)).get(goods);
  };
  expect(await left(before)).toMatchObject({ packsLeft: 1, resetAt: midnight.toISOString() });
  await buy(before);
  await expect(buy(before)).rejects.toMatchObject({ code: 'PurchaseLimitReached' });
  expect(await left(before)).toMatchObject({ packsLeft: 0 });
  expect(await left(midnight)).toMatchObject({ packsLeft: 1 });
  await buy(midnight);
  await expect(buy(midnight)).rejects.toMatchObject({ code: 'PurchaseLimitReached' });
});

test('a list of items none of which has a purchase limit is shown without a database query for used limits', async () => {
  const { key } = await givenPlacedOrder(shop.db);
  const moment = { role: null, at: new Date(), timeZone: 'UTC' };
  const noDb = undefined as never; // as: no query may be sent
  expect(await showLimits(noDb, key.accountId, [], moment)).toEqual(new Map());
});
