import { randomUUID } from 'node:crypto';
import { OrderDetail } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  bodyFor,
  countOrders,
  createOrder,
  detailOf,
  givenBuyer,
  givenItem,
  givenOrder,
} from '../../test/buying.ts';
import { writeSite } from '../../test/demo.ts';
import { recordsOf } from '../../test/orders.ts';
import { createPointsOrder } from '../../test/point-buying.ts';
import { callRaw } from '../../test/raw-call.ts';
import { eventually, openTestShop, send, signIn, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
let chinaShop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  // The same server under another host name is another site.
  chinaShop = { ...shop, url: shop.url.replace('localhost', '127.0.0.1') };
  await givenItem(shop, 'android_only', { systems: ['android'] });
  await givenItem(shop, 'ios_only', { systems: ['ios'] });
  await givenItem(shop, 'withdrawn', { isForSale: false });
  await givenItem(shop, 'euros_only', { currency: 'EUR' });
  await givenItem(shop, 'yuan_only', { currency: 'CNY', priceMinor: 3000n });
  await givenItem(shop, 'to_be_changed');
  await shop.db.transaction(async (tx) => {
    await writeSite(tx, { id: 'china', portalUrl: chinaShop.url, hosts: ['127.0.0.1'] });
    await tx.run(sql`update sites set currency = 'CNY' where id = 'china'`);
    await tx.run(sql`update game_servers set systems = array['ios'] where id = 's7'`);
  });
  buyer = await givenBuyer(shop);
});
beforeEach(() => shop.game.tell('/__sandbox/reset', {}));
afterAll(() => shop.closeAll());

describe('order prices', () => {
  test('[S7.16] an order costs the catalogue price times the number of packs', async () => {
    const reply = await createOrder(shop, buyer, { quantity: 3 });

    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, code: null });
    expect(reply.data).toMatchObject({
      status: 'Created',
      record: 1,
      shown: 'Unpaid',
      orderType: 'foreign',
      method: 'card',
      accountId: buyer.accountId,
      gameAccountId: buyer.gameAccountId,
      gameId: 'solmere',
      serverId: 's12',
      roleId: buyer.body.roleId,
      itemId: 'shards_300',
      quantity: '900',
      giftQuantity: '90',
      amountMinor: '1497',
      currency: 'USD',
      paidAt: null,
    });
    expect(await countOrders(shop, buyer)).toBe(1);
  });

  test.each([
    ['a price', { price: '1' }],
    ['an amount', { amountMinor: '1' }],
    ['a lower-case currency code', { currency: 'vnd' }],
    ['a gift quantity', { gift: 100 }],
    ['an account id', { accountId: randomUUID() }],
    ['a payment id', { paymentId: randomUUID() }],
    ['an order state', { state: 'paid' }],
    ['zero packs', { quantity: 0 }],
    ['a negative number of packs', { quantity: -1 }],
    ['a fractional number of packs', { quantity: 0.5 }],
    ['a hundred packs', { quantity: 100 }],
    ['a quantity sent as text', { quantity: '1' }],
    ['an unknown payment method', { method: 'cash' }],
    ['no clientOrderId', { clientOrderId: undefined }],
    ['a clientOrderId that is not a UUID', { clientOrderId: 'first' }],
  ])(
    'an order request with %s is rejected with InvalidParams and creates no order',
    async (_what, changes) => {
      const before = await countOrders(shop, buyer);
      const reply = await createOrder(shop, buyer, changes);
      expect(reply).toMatchObject({ httpStatus: 400, isSuccess: false, code: 'InvalidParams' });
      expect(await countOrders(shop, buyer)).toBe(before);
    },
  );

  test('an order keeps its price, name and contents when the catalogue changes later', async () => {
    const order = await givenOrder(shop, buyer, { itemId: 'to_be_changed' });
    const agreed = await detailOf(shop, buyer, order);
    await shop.db.transaction(async (tx) => {
      await tx.run(sql`update item_prices set amount_minor = 99 where item_id = 'to_be_changed'`);
      await tx.run(sql`
        update items set name = '{"en-US": "Nothing"}', quantity = 1, gift_quantity = 0, sku = 'dust'
        where id = 'to_be_changed'`);
    });
    await eventually(async () => {
      const { data } = await createOrder(shop, buyer, { itemId: 'to_be_changed' });
      return JSON.stringify(data).includes('"amountMinor":"99"');
    });

    expect(await detailOf(shop, buyer, order)).toEqual(agreed);
    expect(agreed).toMatchObject({ amountMinor: 499n, quantity: 300n, giftQuantity: 30n });
    expect((await recordsOf(shop.db, order)).order.amount_minor).toBe(499n);
  });

  test('an unpaid order expires after 30 minutes, or after the number of minutes set for its site', async () => {
    const openMinutes = async () => {
      const replies = [await createOrder(shop, buyer), await createPointsOrder(shop, buyer)];
      return replies.map(({ data }) => {
        const { createdAt, expireAt } = OrderDetail.parse(data);
        return (Date.parse(expireAt ?? '') - Date.parse(createdAt)) / 60_000;
      });
    };
    expect(await openMinutes()).toEqual([30, 30]);
    const setMinutes = async (minutes: number) => {
      await shop.db.transaction((tx) =>
        tx.run(sql`update sites set order_minutes = ${minutes} where id = 'solmere'`),
      );
      await eventually(async () => (await shop.sites.byId('solmere'))?.orderMinutes === minutes);
    };
    await setMinutes(45);
    expect(await openMinutes()).toEqual([45, 45]);
    await setMinutes(30);
  });

  test('[S3.13] the shop, not the client, sets the order type: internal for CNY, foreign for other currencies', async () => {
    const chinese = await givenBuyer(chinaShop);
    const internal = await createOrder(chinaShop, chinese, { itemId: 'yuan_only' });
    expect(internal.data).toMatchObject({
      orderType: 'internal',
      amountMinor: '3000',
      currency: 'CNY',
    });
    expect((await createOrder(shop, buyer)).data).toMatchObject({ orderType: 'foreign' });
    const claimed = await createOrder(shop, buyer, { orderType: 'internal' });
    expect(claimed).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });
});

describe('idempotent order creation', () => {
  test('a hundred concurrent requests with one clientOrderId create one order and get identical responses', async () => {
    const body = JSON.stringify({ ...buyer.body, clientOrderId: randomUUID() });
    const before = await countOrders(shop, buyer);
    const replies = await Promise.all(
      Array.from({ length: 100 }, () =>
        callRaw(`${shop.url}/api/payment/order/create`, {
          method: 'POST',
          headers: {
            cookie: buyer.cookie,
            'content-type': 'application/json',
            'sec-fetch-site': 'same-origin',
          },
          body,
        }),
      ),
    );

    expect(replies[0]?.json()).toMatchObject({ isSuccess: true, data: { shown: 'Unpaid' } });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await countOrders(shop, buyer)).toBe(before + 1);
  });

  test('an order request repeated with the same clientOrderId is answered without calling the game', async () => {
    const clientOrderId = randomUUID();
    const first = await createOrder(shop, buyer, { clientOrderId });
    await shop.game.tell('/__sandbox/faults', { call: 'roles.query', kind: 'http500_before' });
    await shop.game.tell('/__sandbox/faults', { call: 'recharge.validate', kind: 'refuse' });

    expect((await createOrder(shop, buyer, { clientOrderId })).data).toEqual(first.data);
  });

  test.each([
    ['another item', { itemId: 'shards_60' }],
    ['another number of packs', { quantity: 2 }],
    ['another server', { serverId: 's3' }],
    ['another role', { roleId: 'r_other' }],
    ['another system', { system: 'ios' }],
    ['another payment method', { method: 'epoint' }],
    ['another game', { gameId: 'other' }],
  ])('a clientOrderId of an item order reused for %s is refused', async (_what, changes) => {
    const clientOrderId = randomUUID();
    await createOrder(shop, buyer, { clientOrderId });
    const before = await countOrders(shop, buyer);

    const reply = await createOrder(shop, buyer, { clientOrderId, ...changes });

    expect(reply).toMatchObject({ isSuccess: false, code: 'InvalidParams', data: null });
    expect(await countOrders(shop, buyer)).toBe(before);
  });

  test('a clientOrderId reused on another site is refused', async () => {
    const player = await givenBuyer(shop);
    const clientOrderId = randomUUID();
    await createOrder(shop, player, { clientOrderId });
    const there = { ...player, cookie: await signIn(chinaShop, player) };
    expect(await createOrder(chinaShop, there, { clientOrderId })).toMatchObject({
      code: 'InvalidParams',
    });
  });

  test('two players who send the same clientOrderId get separate orders', async () => {
    const clientOrderId = randomUUID();
    const other = await givenBuyer(shop);
    const mine = await givenOrder(shop, buyer, { clientOrderId });
    const theirs = await givenOrder(shop, other, { clientOrderId });

    expect(theirs.paymentId).not.toBe(mine.paymentId);
    expect((await recordsOf(shop.db, theirs)).order.state).toBe('created');
  });
});

describe('refused orders', () => {
  const refused = async (changes: object, code: string) => {
    const before = await countOrders(shop, buyer);
    const reply = await createOrder(shop, buyer, changes);
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: false, code, data: null });
    expect(await countOrders(shop, buyer)).toBe(before);
  };

  test('[S4.09] an order for a server under maintenance is refused even if the game character is unknown or the game is down', async () => {
    const body = await bodyFor(shop, buyer, 's1');
    await refused(body, 'ServerMaintenance');
    await refused({ ...body, roleId: 'a-role-of-nobody' }, 'ServerMaintenance');
    await shop.game.tell('/__sandbox/faults', { call: 'roles.query', kind: 'http500_before' });
    await refused(body, 'ServerMaintenance');
  });

  test("an order for an unknown server, or one closed to the player's operating system, is refused", async () => {
    await refused({ serverId: 's99' }, 'ServerNotFound');
    await refused(await bodyFor(shop, buyer, 's7'), 'ServerNotFound');
  });

  test("an order for another player's game character is refused", async () => {
    const other = await givenBuyer(shop);
    await refused({ roleId: other.body.roleId }, 'RoleNotFound');
  });

  test('an order for an item that is unknown, withdrawn, unpriced or of another game is refused with ItemNotForSale', async () => {
    for (const itemId of ['unknown', 'withdrawn', 'euros_only']) {
      await refused({ itemId }, 'ItemNotForSale');
    }
    await refused({ gameId: 'other' }, 'ItemNotForSale');
  });

  test('an Android-only item ordered on iOS is refused with NotAvailableInIos, the reverse with ItemNotForSale', async () => {
    await refused({ itemId: 'android_only', system: 'ios' }, 'NotAvailableInIos');
    await refused({ itemId: 'ios_only', system: 'android' }, 'ItemNotForSale');
  });

  test.each([
    ['role_not_found', 'RoleNotFound'],
    ['server_closed', 'ServerMaintenance'],
    ['item_unavailable', 'ItemNotForSale'],
    ['limit_reached', 'ItemNotForSale'],
    ['region_not_allowed', 'ItemNotForSale'],
  ])('an order that the game rejects with %s is refused with %s', async (reason, code) => {
    await shop.game.tell('/__sandbox/faults', {
      call: 'recharge.validate',
      kind: 'refuse',
      reason,
    });
    await refused({}, code);
  });

  test.each(['roles.query', 'recharge.validate'])(
    'an order is refused with GameUnavailable while the game call %s fails',
    async (call) => {
      await shop.game.tell('/__sandbox/faults', { call, kind: 'http500_before' });
      await refused({}, 'GameUnavailable');
      await shop.game.tell('/__sandbox/faults', { call, kind: 'cut_after_commit' });
      await refused({}, 'GameUnavailable');
    },
  );

  test('an order by a player without an account in the game is refused with GameAccountNotFound', async () => {
    const stranger = await givenBuyer(shop);
    await shop.db.transaction((tx) =>
      tx.run(sql`delete from game_accounts where account_id = ${stranger.accountId}`),
    );
    const reply = await createOrder(shop, stranger);
    expect(reply).toMatchObject({ isSuccess: false, code: 'GameAccountNotFound' });
    expect(await countOrders(shop, stranger)).toBe(0);
  });

  test('an order request without a session or from another origin is refused', async () => {
    const path = '/api/payment/order/create';
    expect(await send(shop, path, { body: buyer.body })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    const { cookie, body } = buyer;
    expect(await send(shop, path, { body, cookie, headers: elsewhere })).toMatchObject({
      httpStatus: 403,
      code: 'ForeignOrigin',
    });
  });
});
