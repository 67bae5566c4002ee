import { randomUUID } from 'node:crypto';
import { pointPacks } from '@pointgate/contract/catalogue.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { OrderDetail } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  chargesOf,
  countOrders,
  createOrder,
  detailOf,
  givenBuyer,
  openPage,
  pay,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import { writeSite } from '../../test/demo.ts';
import { withWorkerFor } from '../../test/money-back.ts';
import { booksOf, brokenLinks, jobsOf, letExpire, recordsOf } from '../../test/orders.ts';
import {
  balanceOf,
  createPointsOrder,
  givenPointsOrder,
  payWithPoints,
} from '../../test/point-buying.ts';
import { eventually, openTestShop, send, signIn, type TestShop } from '../../test/shop.ts';
import { walletOf } from '../money/points/points.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
/** The same server under another host name: a site that accepts cards and no E Points. */
let cardShop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  cardShop = { ...shop, url: shop.url.replace('localhost', '127.0.0.1') };
  await shop.db.transaction(async (tx) => {
    await writeSite(tx, { id: 'cards', portalUrl: cardShop.url, hosts: ['127.0.0.1'] });
    await tx.run(
      sql`update sites set methods = array['card'], currency = 'CNY' where id = 'cards'`,
    );
    await tx.run(sql`
      insert into point_packs (id, name, quantity, gift_quantity, gift_days, tier, art, systems,
                               is_for_sale, position)
      select 'epoint_' || kind, name, quantity, gift_quantity, gift_days, tier, art,
             case kind when 'ios' then array['ios'] when 'android' then array['android'] else systems end,
             kind <> 'withdrawn', 99
      from point_packs, unnest(array['ios', 'android', 'withdrawn', 'yuan']) as kind
      where id = 'epoint_500'`);
    await tx.run(sql`
      insert into point_pack_prices (pack_id, currency, amount_minor)
      values ('epoint_ios', 'USD', 499), ('epoint_android', 'USD', 499),
             ('epoint_withdrawn', 'USD', 499), ('epoint_yuan', 'CNY', 700)`);
  });
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const itemsPath = pointPacks.path;
const packsFor = async (
  at: TestShop,
  cookie: string,
  body: object = { system: 'android' },
  headers: Record<string, string> = {},
): Promise<ReplyOf<typeof pointPacks>['packs']> => {
  const reply = await send(at, itemsPath, { cookie, body, headers });
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
  return z.decode(pointPacks.reply, reply.data as never).packs; // as: decode checks it
};

describe('E Point pack list', () => {
  test('[S7.32] the E Point pack list is ordered and shows quantity, gift, gift lifetime and price', async () => {
    const packs = await packsFor(shop, buyer.cookie);
    expect(packs.map(({ itemId }) => itemId)).toEqual([
      ...[100, 500, 1000, 2000, 5000, 10_000].map((count) => `epoint_${count}`),
      'epoint_android',
    ]);
    expect(packs[1]).toEqual({
      itemId: 'epoint_500',
      name: '500 E Points',
      quantity: 500n,
      giftQuantity: 25n,
      giftReason: 'bonus',
      giftDays: 90,
      price: { amountMinor: 499n, currency: 'USD' },
      badge: null,
      tier: 'tide',
      art: 'coin3',
      quoteId: expect.any(String),
      saleFrom: null,
      saleUntil: null,
      limit: null,
      rebatePoints: null,
    });
    expect(packs[0]).toMatchObject({ giftQuantity: 0n, giftDays: null });
  });

  test("the E Point pack list holds the packs for the player's system that are priced in the site's currency", async () => {
    const ids = (packs: { itemId: string }[]) => packs.map(({ itemId }) => itemId);
    expect(ids(await packsFor(shop, buyer.cookie, { system: 'ios' }))).toContain('epoint_ios');
    expect(ids(await packsFor(shop, buyer.cookie, { system: 'ios' }))).not.toContain(
      'epoint_android',
    );
    const { cookie } = await givenBuyer(cardShop);
    expect(await packsFor(cardShop, cookie)).toMatchObject([
      { itemId: 'epoint_yuan', price: { amountMinor: 700n, currency: 'CNY' } },
    ]);
  });

  test('[S7.32] an E Point pack list request that is malformed, without a session or cross-site is refused', async () => {
    const { cookie } = buyer;
    expect(await send(shop, itemsPath, { body: { system: 'ios' } })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
    const headers = { 'sec-fetch-site': 'cross-site' };
    const foreign = await send(shop, itemsPath, { cookie, body: { system: 'ios' }, headers });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
    for (const body of [{}, { system: 'windows' }, { system: 'ios', currency: 'vnd' }, '{']) {
      expect(await send(shop, itemsPath, { cookie, body })).toMatchObject({
        httpStatus: 400,
        code: 'InvalidParams',
      });
    }
  });
});

describe('E Point orders', () => {
  test('[S7.17] an order that buys E Points costs the pack price times the number of packs and belongs to no game', async () => {
    const reply = await createPointsOrder(shop, buyer, { quantity: 3 });
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, code: null });
    expect(OrderDetail.parse(reply.data)).toMatchObject({
      kind: 'points',
      status: 'Created',
      shown: 'Unpaid',
      method: 'card',
      orderType: 'foreign',
      gameId: null,
      gameAccountId: null,
      serverId: null,
      roleId: null,
      gameName: null,
      itemId: 'epoint_500',
      unit: 'E Point',
      quantity: 1500n,
      giftQuantity: 75n,
      amountMinor: 1497n,
      currency: 'USD',
      promisedAt: null,
    });
  });

  test.each([
    ['an amount', { amountMinor: '1' }],
    ['a number of points', { points: 100_000 }],
    ['a game id', { gameId: 'solmere' }],
    ['zero packs', { quantity: 0 }],
    ['a fractional number of packs', { quantity: 0.5 }],
    ['a hundred packs', { quantity: 100 }],
    ['an unknown payment method', { method: 'cash' }],
    ['no clientOrderId', { clientOrderId: undefined }],
    ['a clientOrderId that is not a UUID', { clientOrderId: 'first' }],
    ['an unknown system', { system: 'windows' }],
  ])(
    'a request for an order that buys E Points with %s is rejected with InvalidParams and creates no order',
    async (_what, changes) => {
      const before = await countOrders(shop, buyer);
      expect(await createPointsOrder(shop, buyer, changes)).toMatchObject({
        httpStatus: 400,
        code: 'InvalidParams',
      });
      expect(await countOrders(shop, buyer)).toBe(before);
    },
  );

  test.each([
    ['a pack paid with E Points', { method: 'epoint' }, 'ItemNotForSale'],
    ['an unknown pack', { itemId: 'epoint_7' }, 'ItemNotForSale'],
    ['a withdrawn pack', { itemId: 'epoint_withdrawn' }, 'ItemNotForSale'],
    ['a pack without a price in the currency', { itemId: 'epoint_yuan' }, 'ItemNotForSale'],
    ['an item that is not a pack', { itemId: 'shards_300' }, 'ItemNotForSale'],
    ['an iOS pack on Android', { itemId: 'epoint_ios' }, 'ItemNotForSale'],
    ['an Android pack on iOS', { itemId: 'epoint_android', system: 'ios' }, 'NotAvailableInIos'],
  ])(
    'an order that buys E Points is refused for %s and creates no order',
    async (_what, changes, code) => {
      const before = await countOrders(shop, buyer);
      expect(await createPointsOrder(shop, buyer, changes)).toMatchObject({
        httpStatus: 200,
        isSuccess: false,
        code,
        data: null,
      });
      expect(await countOrders(shop, buyer)).toBe(before);
    },
  );

  test('an order that buys E Points is refused where the site does not accept its payment method', async () => {
    const player = await givenBuyer(cardShop);
    const changes = { itemId: 'epoint_yuan' };
    expect(
      await createPointsOrder(cardShop, player, { ...changes, method: 'epoint' }),
    ).toMatchObject({ code: 'ItemNotForSale' });
    expect(await createOrder(cardShop, player, { method: 'epoint' })).toMatchObject({
      code: 'MethodUnavailable',
    });
    expect((await createPointsOrder(cardShop, player, changes)).data).toMatchObject({
      amountMinor: '700',
      currency: 'CNY',
      orderType: 'internal',
    });
  });

  test('a request for an order that buys E Points without a session or from another origin is refused', async () => {
    expect(await createPointsOrder(shop, { cookie: undefined })).toMatchObject({ httpStatus: 203 });
    const body = {
      clientOrderId: randomUUID(),
      itemId: 'epoint_500',
      quantity: 1,
      method: 'card',
      system: 'android',
    };
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { cookie } = buyer;
    expect(
      await send(shop, '/api/payment/order/create/epoint', { cookie, body, headers }),
    ).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test('an order that buys E Points keeps its quantity, gift and price when the pack changes later', async () => {
    const changes = { itemId: 'epoint_android' };
    const order = await givenPointsOrder(shop, buyer, changes);
    const agreed = await detailOf(shop, buyer, order);
    await shop.db.transaction(async (tx) => {
      await tx.run(sql`
        update point_packs set quantity = 1, gift_quantity = 0 where id = 'epoint_android'`);
    });
    await eventually(async () => {
      const { data } = await createPointsOrder(shop, buyer, changes);
      return OrderDetail.parse(data).quantity === 1n;
    });
    expect(await detailOf(shop, buyer, order)).toEqual(agreed);
  });
});

describe('idempotent E Point order creation', () => {
  test('a hundred concurrent requests to buy E Points with one clientOrderId create one order and get the same data', async () => {
    const player = await givenBuyer(shop);
    const clientOrderId = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => createPointsOrder(shop, player, { clientOrderId })),
    );
    expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(100);
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await countOrders(shop, player)).toBe(1);
  });

  test.each([
    ['another pack', { itemId: 'epoint_100' }],
    ['another number of packs', { quantity: 2 }],
    ['another payment method', { method: 'epoint' }],
    ['another system', { system: 'ios' }],
  ])(
    'a clientOrderId of an order that buys E Points is refused when it is reused for %s',
    async (_what, changes) => {
      const clientOrderId = randomUUID();
      await createPointsOrder(shop, buyer, { clientOrderId });
      const before = await countOrders(shop, buyer);
      const reply = await createPointsOrder(shop, buyer, { clientOrderId, ...changes });
      expect(reply).toMatchObject({ isSuccess: false, code: 'InvalidParams', data: null });
      expect(await countOrders(shop, buyer)).toBe(before);
    },
  );

  test('a clientOrderId of an order that buys E Points is refused when it is reused on another site', async () => {
    const player = await givenBuyer(shop);
    const clientOrderId = randomUUID();
    await createPointsOrder(shop, player, { clientOrderId });
    const there = { cookie: await signIn(cardShop, player) };
    expect(await createPointsOrder(cardShop, there, { clientOrderId })).toMatchObject({
      code: 'InvalidParams',
    });
  });

  test('a clientOrderId of an item order is refused for an order that buys E Points, and the other way round', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await createOrder(shop, buyer, { clientOrderId: first });
    await createPointsOrder(shop, buyer, { clientOrderId: second });
    const before = await countOrders(shop, buyer);

    expect(await createPointsOrder(shop, buyer, { clientOrderId: first })).toMatchObject({
      code: 'InvalidParams',
    });
    expect(await createOrder(shop, buyer, { clientOrderId: second })).toMatchObject({
      code: 'InvalidParams',
    });
    expect(await countOrders(shop, buyer)).toBe(before);
  });
});

describe('E Points paid by card', () => {
  test('E Points paid by card are credited with the payment, without a delivery job', async () => {
    const player = await givenBuyer(shop);
    const order = await givenPointsOrder(shop, player, { quantity: 2 });
    const sessionId = await openPage(shop, player, order);
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 0 });
    await payAtProvider(shop, sessionId);
    // Only the webhook job runs, so a delivery job would never be done.
    const detail = await withWorkerFor(shop, ['process_webhook'], () =>
      untilShown(shop, player, order, 'Fulfilled'),
    );

    expect(detail).toMatchObject({ status: 'FullyPaid', record: 4, promisedAt: null });
    expect(detail.arrivedAt).toBe(detail.paidAt);
    expect(detail.timeline.map(({ step }) => step)).toEqual([
      'created',
      'payment_opened',
      'paid',
      'arrived',
    ]);
    expect(await balanceOf(shop, player)).toMatchObject({
      basicNum: 1000,
      presentNum: 50,
      frozenNum: 0,
    });
    expect(await chargesOf(shop, order)).toMatchObject([{ amount: 998, currency: 'usd' }]);
    const records = await recordsOf(shop.db, order);
    expect(brokenLinks(records)).toEqual([]);
    expect(records.delivery).toBeUndefined();
    expect(await jobsOf(shop.db, order)).toEqual([]);
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': -998n,
      'player:deposit USD': 0n,
      'house:sales USD': 998n,
      'house:points EPOINT': -1050n,
      'player:basic EPOINT': 1000n,
      'player:present EPOINT': 50n,
    });
  });

  test('gift points of an E Point pack expire after the ninety days that the pack sets, bought points never', async () => {
    const player = await givenBuyer(shop);
    const order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    const paid = await withWorkerFor(shop, ['process_webhook'], () =>
      untilShown(shop, player, order, 'Fulfilled'),
    );
    const lots = await shop.db.many(
      z.object({ bucket: z.string(), days: z.number().nullable() }),
      sql`
        select bucket, extract(epoch from expires_at - ${paid.paidAt}::timestamptz)::float8 / 86400 as days
        from point_lots where account_id = ${player.accountId} order by bucket`,
    );
    expect(lots).toEqual([
      { bucket: 'basic', days: null },
      { bucket: 'present', days: expect.closeTo(90, 2) },
    ]);
  });

  test('E Points are credited once when six duplicate webhooks report their payment', async () => {
    const player = await givenBuyer(shop);
    await shop.stripe.tell('/__sandbox/webhooks', { plan: { duplicate: 5 } });
    const order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    const stop = shop.startWorker();
    await untilShown(shop, player, order, 'Fulfilled');
    await stop();
    await shop.stripe.tell('/__sandbox/reset', {});
    expect(await walletOf(shop.db, player.accountId)).toMatchObject({
      basic: 500n,
      present: 25n,
      seq: 1,
    });
  });

  test('an order that buys E Points cannot be paid with E Points, nor by card once it has expired', async () => {
    const order = await givenPointsOrder(shop, buyer);
    expect(await payWithPoints(shop, buyer, order)).toMatchObject({ code: 'OrderPricedInMoney' });
    await letExpire(shop.db, order);
    expect(await pay(shop, buyer, order)).toMatchObject({ code: 'OrderNotPayable' });
  });

  test('E Points are not credited when the captured amount is one cent too low or too high', async () => {
    const player = await givenBuyer(shop);
    for (const amount of [498, 500]) {
      const order = await givenPointsOrder(shop, player);
      await payAtProvider(shop, await openPage(shop, player, order), { amount });
      await withWorkerFor(shop, ['process_webhook'], () =>
        eventually(async () => (await recordsOf(shop.db, order)).order.review_reason !== null),
      );
    }
    expect(await walletOf(shop.db, player.accountId)).toMatchObject({ basic: 0n, seq: 0 });
  });
});
