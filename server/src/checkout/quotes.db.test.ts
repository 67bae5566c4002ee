import { itemGroups, pointPacks, Quote } from '@pointgate/contract/catalogue.ts';
import { OrderDetail, orderReceipt } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  countOrders,
  createOrder,
  detailOf,
  givenBuyer,
  givenItem,
} from '../../test/buying.ts';
import { givenTemplate } from '../../test/coupons.ts';
import { createPointsOrder, givenPoints, payWithPoints } from '../../test/point-buying.ts';
import { eventually, openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';
import { issueCoupon } from '../offers/coupons/coupons.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop();
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const change = (statement: ReturnType<typeof sql>) =>
  shop.db.transaction((tx) => tx.run(statement));

async function listed(itemId: string, changes: { currency?: string } = {}) {
  const body = { gameId: 'solmere', system: 'android', ...changes };
  const { data } = await send(shop, itemGroups.path, { cookie: buyer.cookie, body });
  const { groups } = z.decode(itemGroups.reply, data as never); // as: decode checks it
  const item = groups.flatMap(({ items }) => items).find((each) => each.itemId === itemId);
  if (item === undefined) throw new Error(`${itemId} is not on the list`);
  return item;
}

async function listedPack(itemId: string) {
  const body = { system: 'android' };
  const { data } = await send(shop, pointPacks.path, { cookie: buyer.cookie, body });
  const { packs } = z.decode(pointPacks.reply, data as never); // as: decode checks it
  const pack = packs.find((each) => each.itemId === itemId);
  if (pack === undefined) throw new Error(`${itemId} is not on the list`);
  return pack;
}

/** Waits until the list shows the item with another quote. */
async function listedAfterChange(itemId: string, before: { quoteId: string }) {
  return await eventually(async () => {
    const item = await listed(itemId);
    return item.quoteId !== before.quoteId && item;
  });
}

const placed = ({ data }: Reply) => z.decode(OrderDetail, data as never); // as: decode checks it

/** The new quote of an order that was refused because its offer changed. */
function newQuote(reply: Reply): z.output<typeof Quote> {
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: false, code: 'PriceChanged' });
  return z.decode(Quote, reply.data as never); // as: decode checks it
}

test('the order, the charge and the receipt have the price and quantity that the item list shows', async () => {
  await givenPoints(shop, buyer, { basic: 10_000n });
  const { quoteId, price, pricePoints, quantity, gift } = await listed('shards_980');
  const order = placed(await createOrder(shop, buyer, { itemId: 'shards_980', quoteId }));
  const goods = { itemId: 'shards_980', quantity, giftQuantity: gift?.quantity };
  expect(order).toMatchObject({ ...goods, ...price });

  const inPoints = { itemId: 'shards_980', quoteId, method: 'epoint', quantity: 2 };
  const { paymentId } = placed(await createOrder(shop, buyer, inPoints));
  expect(await payWithPoints(shop, buyer, { paymentId })).toMatchObject({ isSuccess: true });
  const { cookie } = buyer;
  const receipt = await send(shop, orderReceipt.path, { cookie, body: { paymentId } });
  const { order: paid } = z.decode(orderReceipt.reply, receipt.data as never); // as: decode checks it
  expect(paid).toMatchObject({ currency: 'EPOINT', amountMinor: (pricePoints ?? 0n) * 2n });
});

describe('offers that changed after the quote', () => {
  test.each([
    [
      'became more expensive',
      sql`update item_prices set amount_minor = 599 where item_id = 'to_change' and currency = 'USD'`,
    ],
    [
      'became cheaper',
      sql`update item_prices set amount_minor = 399 where item_id = 'to_change' and currency = 'USD'`,
    ],
    ['lost part of its gift', sql`update items set gift_quantity = 1 where id = 'to_change'`],
    ['shrank in quantity', sql`update items set quantity = 200 where id = 'to_change'`],
    ['changed its SKU in the game', sql`update items set sku = 'dust' where id = 'to_change'`],
  ])('an order whose quoted item %s is refused with a new quote', async (_what, statement) => {
    await change(sql`delete from item_prices where item_id = 'to_change'`);
    await change(sql`delete from items where id = 'to_change'`);
    await givenItem(shop, 'to_change');
    const before = await eventually(async () => {
      const item = await listed('to_change').catch(() => undefined);
      const isAsBefore = item?.quantity === 300n && item.gift?.quantity === 30n;
      return isAsBefore && item.price.amountMinor === 499n && item;
    });
    await change(statement);
    const now = await listedAfterChange('to_change', before);

    const orders = await countOrders(shop, buyer);
    const old = { itemId: 'to_change', quoteId: before.quoteId };
    const quote = newQuote(await createOrder(shop, buyer, old));
    expect(await countOrders(shop, buyer)).toBe(orders);
    expect(quote).toEqual({
      quoteId: now.quoteId,
      itemId: 'to_change',
      quantity: now.quantity,
      giftQuantity: now.gift?.quantity ?? 0n,
      price: now.price,
      pricePoints: null,
    });
    const order = placed(await createOrder(shop, buyer, { ...old, quoteId: quote.quoteId }));
    expect(order).toMatchObject({ ...now.price, quantity: now.quantity });
  });

  test('an order is placed without a new quote when only the item name has changed', async () => {
    const { quoteId } = await listed('shards_60');
    await change(sql`update items set name = '{"en-US": "Sixty"}' where id = 'shards_60'`);
    await eventually(async () => (await listed('shards_60')).name === 'Sixty');
    const order = placed(await createOrder(shop, buyer, { itemId: 'shards_60', quoteId }));
    expect(order).toMatchObject({ itemName: 'Sixty', amountMinor: 99n });
  });

  test('an order request repeated with its clientOrderId after a price change gets the same answer as before', async () => {
    const before = await listed('shards_3280');
    const body = { itemId: 'shards_3280', quoteId: before.quoteId };
    const clientOrderId = crypto.randomUUID();
    const order = placed(await createOrder(shop, buyer, { ...body, clientOrderId }));
    await change(sql`
      update item_prices set amount_minor = 1 where item_id = 'shards_3280' and currency = 'USD'`);
    await listedAfterChange('shards_3280', before);
    const again = placed(await createOrder(shop, buyer, { ...body, clientOrderId }));
    expect(again).toEqual(order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ paymentId: order.paymentId });
    const { quoteId } = await listed('shards_3280');
    const other = await createOrder(shop, buyer, { ...body, quoteId, clientOrderId });
    expect(other).toMatchObject({ code: 'InvalidParams' });
  });

  test('an order that buys E Points is refused with a new quote if the gift lifetime of the quoted pack has changed', async () => {
    const before = await listedPack('epoint_1000');
    const body = { itemId: 'epoint_1000', quoteId: before.quoteId };
    expect(placed(await createPointsOrder(shop, buyer, body))).toMatchObject(before.price);
    await change(sql`update point_packs set gift_days = 7 where id = 'epoint_1000'`);
    await eventually(async () => (await listedPack('epoint_1000')).giftDays === 7);
    const quote = newQuote(await createPointsOrder(shop, buyer, body));
    expect(quote).toMatchObject({ price: before.price, pricePoints: null });
    const { quoteId } = await listedPack('epoint_1000');
    expect(quote.quoteId).toBe(quoteId);
  });
});

describe('orders without a quote', () => {
  test('an order without a quote id is charged the listed price', async () => {
    const { price, pricePoints } = await listed('shards_300');
    expect(placed(await createOrder(shop, buyer))).toMatchObject(price);
    const inPoints = placed(await createOrder(shop, buyer, { method: 'epoint' }));
    expect(inPoints).toMatchObject({ amountMinor: pricePoints, currency: 'EPOINT' });
  });

  test('an order that names another currency of the site is charged the price in that currency', async () => {
    await change(sql`update sites set other_currencies = array['JPY'] where id = 'solmere'`);
    await change(sql`insert into item_prices values ('shards_300', 'JPY', 600)`);
    const inYen = await eventually(() =>
      listed('shards_300', { currency: 'JPY' }).catch(() => undefined),
    );
    expect(inYen.price).toEqual({ amountMinor: 600n, currency: 'JPY' });
    const body = { currency: 'JPY' };
    expect(placed(await createOrder(shop, buyer, body))).toMatchObject(inYen.price);
    const shown = { ...body, quoteId: inYen.quoteId };
    expect(placed(await createOrder(shop, buyer, shown))).toMatchObject(inYen.price);
    // A quote in one currency is refused for an order in another.
    expect(newQuote(await createOrder(shop, buyer, { quoteId: inYen.quoteId }))).toMatchObject({
      price: { currency: 'USD' },
    });
  });
});

test.each([
  ['a currency that the site does not take', { currency: 'KRW' }, { code: 'ItemNotForSale' }],
  ['a lower-case currency code', { currency: 'usd' }, { httpStatus: 400 }],
  ['a malformed quote id', { quoteId: 'short' }, { httpStatus: 400 }],
  ['an unknown quote id', { quoteId: 'x'.repeat(32) }, { code: 'PriceChanged' }],
  ['an amount', { amountMinor: '1' }, { httpStatus: 400 }],
])(
  'an order request with unusable price data is refused: a request with %s',
  async (_what, changes, expected) => {
    expect(await createOrder(shop, buyer, changes)).toMatchObject(expected);
    expect(await createPointsOrder(shop, buyer, changes)).toMatchObject(expected);
  },
);

test('an item with a sale end can be ordered with its quote before that time and not after it', async () => {
  await givenItem(shop, 'for_a_while');
  await change(sql`
    update items set sale_until = now() + interval '1 hour' where id = 'for_a_while'`);
  const { quoteId, saleUntil } = await eventually(async () => {
    const item = await listed('for_a_while').catch(() => undefined);
    return item !== undefined && item.saleUntil !== null && item;
  });
  expect(Date.parse(saleUntil ?? '')).toBeGreaterThan(Date.now());
  const body = { itemId: 'for_a_while', quoteId };
  expect(placed(await createOrder(shop, buyer, body))).toMatchObject({ amountMinor: 499n });
  await change(sql`
    update items set sale_until = now() - interval '1 second' where id = 'for_a_while'`);
  await eventually(async () => !(await listed('for_a_while').catch(() => false)));
  expect(await createOrder(shop, buyer, body)).toMatchObject({ code: 'ItemNotForSale' });
});

test('three hundred random valid and forged order requests are charged the catalogue price or refused', async () => {
  const amounts = await shop.db.many(
    z.object({ item_id: z.string(), currency: z.string(), amount_minor: z.bigint() }),
    sql`select item_id, currency, amount_minor from item_prices where country = '*'`,
  );
  const itemIds = [...new Set(amounts.map(({ item_id }) => item_id)), 'nothing_like_it'];
  const quotes = (await Promise.all(['shards_60', 'shards_300'].map((id) => listed(id)))).map(
    ({ quoteId }) => quoteId,
  );
  const pick = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)];
  const templateId = await givenTemplate(shop, { perAccountMax: 100 });
  const coupons = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const issue = { accountId: buyer.accountId, templateId, source: `test:${index}` };
      const issued = await shop.db.transaction((tx) => issueCoupon(tx, issue));
      return 'couponId' in issued ? issued.couponId : '';
    }),
  );
  const used = new Set<string>();
  const outcomes = { charged: 0, refused: 0 };
  for (let round = 0; round < 300; round += 1) {
    const body = {
      itemId: pick(itemIds),
      quantity: pick([1, 1, 2, 99, 0, 100]),
      method: pick(['card', 'epoint']),
      system: pick(['ios', 'android']),
      ...pick([{}, {}, { quoteId: pick(quotes) }, { quoteId: 'y'.repeat(32) }, { price: '1' }]),
      ...pick([{}, {}, { currency: 'JPY' }, { currency: 'USD' }, { currency: 'EUR' }]),
      ...pick([{}, {}, { couponId: pick(coupons) }, { couponId: crypto.randomUUID() }]),
      // Most requests are those of a regular client.
      ...pick([
        {},
        { itemId: 'shards_60', quoteId: quotes[0] },
        { itemId: 'shards_300', quoteId: quotes[1] },
      ]),
    };
    const reply = await createOrder(shop, buyer, body);
    if (!reply.isSuccess) {
      expect([200, 400]).toContain(reply.httpStatus);
      outcomes.refused += 1;
      continue;
    }
    const order = placed(reply);
    const price = amounts.find(
      ({ item_id, currency }) => item_id === order.itemId && currency === order.currency,
    );
    const wholeMinor = (price?.amount_minor ?? 0n) * BigInt(body.quantity ?? 0);
    const { couponId } = { couponId: undefined, ...body };
    // The coupons take 15 percent, and each can be used once.
    const discountMinor = couponId === undefined ? 0n : (wholeMinor * 15n) / 100n;
    expect(order.amountMinor).toBe(wholeMinor - discountMinor);
    if (couponId !== undefined) {
      expect(coupons).toContain(couponId);
      expect(used).not.toContain(couponId);
      used.add(couponId);
    }
    outcomes.charged += 1;
  }
  expect(outcomes.charged).toBeGreaterThan(20);
  expect(outcomes.refused).toBeGreaterThan(20);
  expect(used.size).toBeGreaterThan(0);
});
