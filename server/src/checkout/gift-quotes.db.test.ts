import { isDeepStrictEqual } from 'node:util';
import { flatItems, itemGroups, pointPacks, Quote } from '@pointgate/contract/catalogue.ts';
import { OrderDetail } from '@pointgate/contract/orders.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, countOrders, createOrder, givenBuyer } from '../../test/buying.ts';
import { createPointsOrder } from '../../test/point-buying.ts';
import { forgetPromotions, givenGiftRule, hoursFromNow } from '../../test/promotions.ts';
import { eventually, openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';
import { selectGiftRules } from '../offers/promotions/gifts.queries.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterEach(() => forgetPromotions(shop.db));
afterAll(() => shop.closeAll());

const itemId = 'shards_300';
const solmere = { gameId: 'solmere', system: 'android' };

/** Lists cache the gift rules and are notified of a change a moment later. */
async function untilListsKnow(): Promise<void> {
  for (const kind of ['item', 'points'] as const) {
    const place = { siteId: 'solmere', kind };
    const key = { ...place, now: new Date() };
    await eventually(async () => {
      const rows = (await selectGiftRules(shop.db, key)).map((rule) => ({ ...place, ...rule }));
      return isDeepStrictEqual(await shop.giftRules(key), rows);
    });
  }
}

async function listed({ cookie }: Buyer) {
  await untilListsKnow();
  const { data } = await send(shop, itemGroups.path, { cookie, body: solmere });
  const { groups } = itemGroups.reply.parse(data);
  const item = groups.flatMap(({ items }) => items).find((each) => each.itemId === itemId);
  if (item === undefined) throw new Error('the item is not on the list');
  return item;
}

async function listedFlat({ cookie }: Buyer) {
  await untilListsKnow();
  const { data } = await send(shop, flatItems.path, { cookie, body: solmere });
  return flatItems.reply.parse(data).items.find((each) => each.itemId === itemId);
}

async function listedPack({ cookie }: Buyer) {
  await untilListsKnow();
  const { data } = await send(shop, pointPacks.path, { cookie, body: { system: 'android' } });
  const pack = pointPacks.reply.parse(data).packs.find((each) => each.itemId === 'epoint_500');
  if (pack === undefined) throw new Error('the pack is not on the list');
  return pack;
}

const placed = ({ data }: Reply) => OrderDetail.parse(data);
const isRefused = ({ code }: Reply) => code === 'PriceChanged';
/** The new quote of an order that was refused because its price or gift changed. */
function newQuote(reply: Reply) {
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: false, code: 'PriceChanged' });
  return Quote.parse(reply.data);
}

const first = { firstPurchase: 'of_any' as const }; // as: keeps the literal types

describe('gifts on item lists', () => {
  test('[S7.13, S7.14] the item lists show the gift that the player would get now, and its reason', async () => {
    const buyer = await givenBuyer(shop);
    expect((await listed(buyer)).gift).toEqual({ quantity: 30n, reason: 'bonus' });
    await givenGiftRule(shop.db, 'first', first);
    expect((await listed(buyer)).gift).toEqual({ quantity: 300n, reason: 'first_purchase' });
    expect(await listedFlat(buyer)).toMatchObject({
      giftQuantity: 300n,
      giftReason: 'first_purchase',
    });

    const { quoteId } = await listed(buyer);
    const order = placed(await createOrder(shop, buyer, { quoteId }));
    expect(order).toMatchObject({ giftQuantity: 300n, giftReason: 'first_purchase' });
    // The open order holds the first-purchase gift, so the next order is not offered it.
    expect((await listed(buyer)).gift).toEqual({ quantity: 30n, reason: 'bonus' });
    expect(await listedFlat(buyer)).toMatchObject({ giftQuantity: 30n, giftReason: 'bonus' });
  });

  test('[S7.32] the E Point pack list shows the gift that the player would get now, and its reason', async () => {
    const buyer = await givenBuyer(shop);
    await givenGiftRule(shop.db, 'points', { kind: 'points', endsAt: hoursFromNow(1) });
    const pack = await listedPack(buyer);
    expect(pack).toMatchObject({ giftQuantity: 500n, giftReason: 'limited_time' });
    const { quoteId } = pack;
    const order = placed(await createPointsOrder(shop, buyer, { quoteId }));
    expect(order).toMatchObject({ giftQuantity: 500n, giftReason: 'limited_time' });
  });

  test('a gift for listed accounts is neither shown nor given to other players', async () => {
    const [buyer, other] = [await givenBuyer(shop), await givenBuyer(shop)];
    await givenGiftRule(shop.db, 'listed', { accounts: [other.accountId] });
    expect((await listed(buyer)).gift).toEqual({ quantity: 30n, reason: 'bonus' });
    expect((await listed(other)).gift).toEqual({ quantity: 300n, reason: 'for_you' });
    const { quoteId } = await listed(other);
    expect(newQuote(await createOrder(shop, buyer, { quoteId })).giftQuantity).toBe(30n);
  });
});

test('the item list shows gifts from cached gift rules, even while the database table gift_rules is locked', async () => {
  const buyer = await givenBuyer(shop);
  await givenGiftRule(shop.db, 'kept', { endsAt: hoursFromNow(1) });
  await untilListsKnow();
  const read = () => send(shop, itemGroups.path, { cookie: buyer.cookie, body: solmere });
  const whileLocked = await shop.db.transaction(async (tx) => {
    await tx.run(sql`lock table gift_rules`);
    return await read();
  });
  expect(JSON.stringify(whileLocked.data)).toContain('limited_time');
  expect(whileLocked.data).toEqual((await read()).data);
});

describe('gifts that changed after the quote', () => {
  test.each([
    ['has ended', sql`update gift_rules set ends_at = clock_timestamp() where id = 'while'`, 30n],
    ['has grown', sql`update gift_rules set gift_percent = 200 where id = 'while'`, 600n],
  ])(
    'an order whose quoted gift %s is refused with a new quote',
    async (_what, statement, giftQuantity) => {
      const buyer = await givenBuyer(shop);
      await givenGiftRule(shop.db, 'while', { endsAt: hoursFromNow(1) });
      const { quoteId } = await listed(buyer);
      await shop.db.transaction((tx) => tx.run(statement));
      const quote = newQuote(await createOrder(shop, buyer, { quoteId }));
      expect(quote.giftQuantity).toBe(giftQuantity);
      expect(await countOrders(shop, buyer)).toBe(0);
      expect(quote.quoteId).toBe((await listed(buyer)).quoteId);
      const order = placed(await createOrder(shop, buyer, { quoteId: quote.quoteId }));
      expect(order).toMatchObject({ giftQuantity });
    },
  );

  test('an order for more packs than its gift rule allows is refused with a new quote', async () => {
    const buyer = await givenBuyer(shop);
    await givenGiftRule(shop.db, 'one-pack', { packsMax: 1 });
    const { quoteId } = await listed(buyer);
    const three = { quoteId, quantity: 3 };
    const quote = newQuote(await createOrder(shop, buyer, three));
    expect(quote.giftQuantity).toBe(30n);
    const order = placed(await createOrder(shop, buyer, { ...three, quoteId: quote.quoteId }));
    expect(order).toMatchObject({ giftQuantity: 90n });
  });

  // Covers the check in the transaction: all ten requests name the same valid quote.
  test('ten concurrent first purchases of a player: one gets the first-purchase gift, nine are refused with a new quote', async () => {
    const buyer = await givenBuyer(shop);
    await givenGiftRule(shop.db, 'first', first);
    const { quoteId } = await listed(buyer);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => createOrder(shop, buyer, { quoteId })),
    );
    const orders = replies.filter((reply) => !isRefused(reply)).map(placed);
    expect(orders.map(({ giftQuantity }) => giftQuantity)).toEqual([300n]);
    const quotes = replies.filter(isRefused).map(newQuote);
    expect(quotes.map(({ giftQuantity }) => giftQuantity)).toEqual(Array(9).fill(30n));
    expect(await countOrders(shop, buyer)).toBe(1);
    const again = placed(await createOrder(shop, buyer, { quoteId: quotes[0]?.quoteId }));
    expect(again).toMatchObject({ giftQuantity: 30n, giftReason: 'bonus' });
  });

  test('a first purchase sent five times concurrently creates one order and is not refused with a new quote', async () => {
    const buyer = await givenBuyer(shop);
    await givenGiftRule(shop.db, 'first', first);
    const { quoteId } = await listed(buyer);
    const body = { quoteId, clientOrderId: crypto.randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => createOrder(shop, buyer, body)),
    );
    expect(new Set(replies.map((reply) => placed(reply).paymentId)).size).toBe(1);
    expect(await countOrders(shop, buyer)).toBe(1);
  });
});

test('an order without a quote id gets the gift that applies when it is placed', async () => {
  const buyer = await givenBuyer(shop);
  await givenGiftRule(shop.db, 'first', first);
  expect(placed(await createOrder(shop, buyer))).toMatchObject({ giftQuantity: 300n });
  expect(placed(await createOrder(shop, buyer))).toMatchObject({ giftQuantity: 30n });
});

const Snapshot = z.object({ quote_id: z.string(), gift: z.string() });

test('the stored snapshot of an order has its quote id and gift quantity', async () => {
  const buyer = await givenBuyer(shop);
  await givenGiftRule(shop.db, 'first', first);
  const { quoteId } = await listed(buyer);
  const { paymentId } = placed(await createOrder(shop, buyer));
  const kept = await shop.db.one(
    Snapshot,
    sql`
      select snapshot ->> 'quoteId' as quote_id, snapshot ->> 'giftQuantity' as gift from orders
      where account_id = ${buyer.accountId} and payment_id = ${paymentId}`,
  );
  expect(kept).toEqual({ quote_id: quoteId, gift: '300' });
});
