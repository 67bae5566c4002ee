import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  countOrders,
  createOrder,
  givenBuyer,
  givenItem,
  givenOrder,
  openPage,
  pay,
  payAtProvider,
  sessionOf,
  sessionsOf,
  untilShown,
} from '../../test/buying.ts';
import { letExpire } from '../../test/orders.ts';
import { createPointsOrder } from '../../test/point-buying.ts';
import { callRaw } from '../../test/raw-call.ts';
import { openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';

const unpaidOrders = 30;
const paymentCalls = 60;
const gameCalls = 100;

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({
    LOG_LEVEL: 'silent',
    UNPAID_ORDERS_MAX: `${unpaidOrders}`,
    PAYMENT_CALLS_MAX: `${paymentCalls}`,
    GAME_CALLS_MAX: `${gameCalls}`,
  });
  await givenItem(shop, 'too_dear', { priceMinor: 100_000_000n }); // the provider takes less
});
afterAll(() => shop.closeAll());

const refused = { httpStatus: 200, isSuccess: false, code: 'SignInThrottled', data: null };

const times = async (count: number, ask: () => Promise<Reply>): Promise<Reply[]> =>
  await Promise.all(Array.from({ length: count }, ask));

/** The numbers of answered and of throttled replies; any other refusal fails the test. */
function sorted(replies: readonly Reply[]) {
  const answered = replies.filter(({ isSuccess }) => isSuccess);
  const others = replies.filter(({ isSuccess }) => !isSuccess);
  for (const reply of others) expect(reply).toMatchObject(refused);
  return [answered.length, others.length];
}

const listRoles = ({ cookie, body }: Buyer) =>
  send(shop, '/api/character/role/list', {
    cookie,
    body: { gameId: body.gameId, serverId: body.serverId },
  });

/** The Retry-After header of a refused call, in seconds. */
async function waitOf(buyer: Buyer, path: string, body: object): Promise<number> {
  const { headers } = await callRaw(shop.url + path, {
    method: 'POST',
    headers: {
      host: new URL(shop.url).host,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: buyer.cookie,
    },
    body: JSON.stringify(body),
  });
  return z.coerce.number().parse(headers['retry-after']);
}

describe('unpaid order limit', () => {
  test('sixty concurrent orders of a player with a limit of thirty unpaid orders create thirty orders', async () => {
    const buyer = await givenBuyer(shop);
    expect(sorted(await times(60, () => createOrder(shop, buyer)))).toEqual([30, 30]);
    expect(await countOrders(shop, buyer)).toBe(unpaidOrders);
  });

  test('an order that buys E Points counts towards the limit of unpaid orders per player', async () => {
    const buyer = await givenBuyer(shop);
    await times(unpaidOrders - 1, () => createOrder(shop, buyer));
    expect(sorted([await createPointsOrder(shop, buyer)])).toEqual([1, 0]);
    expect(await createPointsOrder(shop, buyer)).toMatchObject(refused);
    expect(await createOrder(shop, buyer)).toMatchObject(refused);
  });

  test('a refusal at the limit of unpaid orders says in Retry-After when the next unpaid order expires', async () => {
    const buyer = await givenBuyer(shop);
    await times(unpaidOrders, () => createOrder(shop, buyer));
    const body = { ...buyer.body, clientOrderId: randomUUID() };
    const seconds = await waitOf(buyer, '/api/payment/order/create', body);
    expect(seconds).toBeGreaterThan(25 * 60);
    expect(seconds).toBeLessThanOrEqual(30 * 60);
  });

  test('an expired or paid order frees its place in the limit of unpaid orders', async () => {
    const buyer = await givenBuyer(shop);
    const first = await givenOrder(shop, buyer);
    const second = await givenOrder(shop, buyer);
    await times(unpaidOrders - 2, () => createOrder(shop, buyer));
    expect(await createOrder(shop, buyer)).toMatchObject(refused);

    await letExpire(shop.db, first);
    expect(sorted(await times(2, () => createOrder(shop, buyer)))).toEqual([1, 1]);
    const stop = shop.startWorker();
    await payAtProvider(shop, await openPage(shop, buyer, second));
    await untilShown(shop, buyer, second, 'Fulfilled');
    await stop();
    expect(sorted(await times(2, () => createOrder(shop, buyer)))).toEqual([1, 1]);
  });

  test('an order request repeated with its clientOrderId returns the order placed before, even at the limit of unpaid orders', async () => {
    const buyer = await givenBuyer(shop);
    const placed = { clientOrderId: randomUUID() };
    const { data } = await createOrder(shop, buyer, placed);
    await times(unpaidOrders - 1, () => createOrder(shop, buyer));
    expect(await createOrder(shop, buyer, placed)).toMatchObject({ isSuccess: true, data });
  });

  test('the unpaid orders of one player do not count towards the limit of unpaid orders of another player', async () => {
    const [buyer, other] = [await givenBuyer(shop), await givenBuyer(shop)];
    await times(unpaidOrders + 1, () => createOrder(shop, buyer));
    expect(await createOrder(shop, other)).toMatchObject({ isSuccess: true });
  });
});

describe('payment provider call limits', () => {
  const initiationFailed = { isSuccess: false, code: 'PaymentInitiationFailed' };

  test('a payment provider is called at most twenty times an hour per order and sixty times per player', async () => {
    const buyer = await givenBuyer(shop);
    for (let orders = 0; orders < 3; orders += 1) {
      const order = await givenOrder(shop, buyer, { itemId: 'too_dear' });
      for (let calls = 0; calls < 20; calls += 1) {
        expect(await pay(shop, buyer, order)).toMatchObject(initiationFailed);
      }
      expect(await pay(shop, buyer, order)).toMatchObject(refused);
    }
    const order = await givenOrder(shop, buyer);
    expect(await pay(shop, buyer, order)).toMatchObject(refused);
    const { paymentId } = order;
    const seconds = await waitOf(buyer, '/api/payment/order/pay', { paymentId });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60 * 60);
    // No job calls the provider for the refused payment either.
    expect(await sessionsOf(shop, order)).toEqual([]);
    const stop = shop.startWorker();
    const other = await givenBuyer(shop);
    const paid = await givenOrder(shop, other);
    await payAtProvider(shop, await openPage(shop, other, paid));
    await untilShown(shop, other, paid, 'Fulfilled');
    await stop();
    expect(await sessionsOf(shop, order)).toEqual([]);
  });

  test('an open payment page is returned again without counting towards the payment provider call limit', async () => {
    const buyer = await givenBuyer(shop);
    const order = await givenOrder(shop, buyer);
    const page = sessionOf(await pay(shop, buyer, order));
    const replies = await times(paymentCalls + 1, () => pay(shop, buyer, order));
    expect(new Set(replies.map(sessionOf))).toEqual(new Set([page]));
    expect(await sessionsOf(shop, order)).toHaveLength(1);
  });
});

describe('game and WeChat call limits', () => {
  test('two hundred requests of one player for a list of characters cause a hundred calls to the game and do not limit other players', async () => {
    const [buyer, other] = [await givenBuyer(shop), await givenBuyer(shop)];
    // Creating the buyer has already called the game once to find the role.
    expect(sorted(await times(200, () => listRoles(buyer)))).toEqual([99, 101]);
    expect(await createOrder(shop, buyer)).toMatchObject(refused);
    const { gameId, serverId } = buyer.body;
    const seconds = await waitOf(buyer, '/api/character/role/list', { gameId, serverId });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(5 * 60);
    expect(await listRoles(other)).toMatchObject({ isSuccess: true });
  });

  test('a player can have the shop exchange at most twenty WeChat authorization codes for an open id an hour', async () => {
    const { cookie } = await givenBuyer(shop);
    const trade = () =>
      send(shop, '/api/user/wechat/info/get', { cookie, body: { code: randomUUID() } });
    const codes = (await times(25, trade)).map(({ code }) => code).toSorted();
    expect(codes).toEqual([
      ...Array<string>(20).fill('LoginMethodNotOffered'),
      ...Array<string>(5).fill('SignInThrottled'),
    ]);
  });
});

test('a player who selects a character, orders and opens a payment page twenty times stays within all call limits', async () => {
  const buyer = await givenBuyer(shop);
  const { gameId, serverId, roleId } = buyer.body;
  for (let minds = 0; minds < 20; minds += 1) {
    expect(await listRoles(buyer)).toMatchObject({ isSuccess: true });
    const select = { cookie: buyer.cookie, body: { gameId, serverId, roleId } };
    const selected = await send(shop, '/api/character/info/select', select);
    expect(selected).toMatchObject({ isSuccess: true });
    const order = await givenOrder(shop, buyer);
    const first = sessionOf(await pay(shop, buyer, order));
    expect(sessionOf(await pay(shop, buyer, order))).toBe(first);
  }
});
