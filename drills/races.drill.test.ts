import { randomUUID } from 'node:crypto';
import {
  createOrder,
  createPointsOrder,
  type OrderDetail,
  orderDetail,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAcknowledgements } from './acknowledgements.ts';
import { balanceOf, topUpTo } from './balance.ts';
import { inParallel } from './in-parallel.ts';
import { newRefundRequest, type RefundRequest, requestRefund } from './operate.ts';
import { givenPlayers, type Player } from './players.ts';
import { logProgress } from './progress.ts';
import { providerBalanceDifferences } from './provider-balance.ts';
import { orderPack, type PurchaseContext, payByCard } from './purchases.ts';
import { atOnce, tally, textsOf, watchPoints } from './races.ts';
import { type Random, randomOfThisRun } from './random.ts';
import { startRowLockBarrier } from './row-lock-barrier.ts';
import { moneyAtProvider } from './sandbox-client.ts';
import { callOrThrow, openShop, type Shop } from './shop.ts';
import { untilIdle } from './until-idle.ts';

const rounds = Number(process.env.DRILL_ROUNDS || 200);
const ordersAtOnce = 50;
const callsAtOnce = 100;
const refundsWanted = 50;
// Each program uses a processor for half a second before it sends its request.
const programsAtOnce = 16;
// Slightly more than a pack of points, so that a balance topped up for one order never covers two.
const item = { itemId: 'shards_60', quantity: 6 };
const price = 600n;

let shop: Shop;
let context: PurchaseContext;
let players: Player[];

beforeAll(async () => {
  const random = randomOfThisRun();
  shop = await openShop({ apis: 2, workers: 2 });
  context = { provider: shop.provider, acknowledgements: openAcknowledgements() };
  players = await givenPlayers(shop, 9, random);
});
afterAll(() => shop?.close());

test('fifty concurrent payments with E Points from a balance that is enough for one pay exactly one order', async () => {
  // Several accounts race in parallel, which also uses the time in which points are bought.
  const racers = players.slice(0, 4);
  const fewest = watchPoints(racers);
  let round = 0;
  const race = async (player: Player) => {
    const open = await Promise.all(
      Array.from({ length: ordersAtOnce }, () => orderForPoints(player)),
    );
    while (round < rounds) {
      round += 1;
      if (round % 20 === 0) logProgress(`round ${round} of ${rounds}`);
      const before = await topUpTo(context, player, price);
      expect(before).toBeLessThan(2n * price);
      const outcomes = await atOnce(ordersAtOnce, player, payWithPoints, (index) => ({
        paymentId: open[index] ?? '',
      }));
      expect(tally(outcomes)).toEqual({ done: 1, EPointInsufficient: ordersAtOnce - 1 });
      expect(await balanceOf(player)).toBe(before - price);
      const winner = outcomes.findIndex(({ kind }) => kind === 'done');
      open[winner] = await orderForPoints(player);
    }
  };
  await shop.during(Promise.all(racers.map(race)));
  expect(await fewest()).toBeGreaterThanOrEqual(0);
});

describe('one hundred concurrent identical calls', () => {
  const packOf = (player: Player, method: 'card' | 'epoint') => ({
    ...player.receiver,
    ...item,
    clientOrderId: randomUUID(),
    method,
  });

  test.each(['card', 'epoint'] as const)(
    'one hundred concurrent identical order calls with the payment method %s place one order',
    async (method) => {
      const player = anyPlayer();
      const body = packOf(player, method);
      const outcomes = await atOnce(callsAtOnce, player, createOrder, () => body);
      expect(tally(outcomes)).toEqual({ done: callsAtOnce });
      expect(textsOf(outcomes)).toHaveLength(1);
      expect(await countOrders(player)).toBe(1);

      const another = await atOnce(2, player, createOrder, () => ({ ...body, quantity: 7 }));
      expect(tally(another)).toEqual({ InvalidParams: 2 });
    },
  );

  test('one hundred concurrent identical requests to buy a pack of E Points place one order', async () => {
    const player = anyPlayer();
    const { system } = player.receiver;
    const body = {
      clientOrderId: randomUUID(),
      itemId: 'epoint_500',
      quantity: 2,
      method: 'card' as const,
      system,
    };
    const outcomes = await atOnce(callsAtOnce, player, createPointsOrder, () => body);
    expect(tally(outcomes)).toEqual({ done: callsAtOnce });
    expect(textsOf(outcomes)).toHaveLength(1);
    expect(await countOrders(player)).toBe(1);

    const another = await atOnce(2, player, createPointsOrder, () => ({ ...body, quantity: 3 }));
    expect(tally(another)).toEqual({ InvalidParams: 2 });
  });

  test('one hundred concurrent payments of one order with E Points deduct its price from the balance once', async () => {
    const player = anyPlayer();
    const before = await topUpTo(context, player, price * 3n);
    const paymentId = await orderForPoints(player);
    // Without workers no delivery changes the order meanwhile, which would change a valid answer.
    await Promise.all(shop.stack.programs.worker.map((worker) => worker.kill()));
    const outcomes = await atOnce(callsAtOnce, player, payWithPoints, () => ({ paymentId }));
    await Promise.all(shop.stack.programs.worker.map((worker) => worker.start()));
    expect(tally(outcomes)).toEqual({ done: callsAtOnce });
    expect(textsOf(outcomes)).toHaveLength(1);
    expect(await balanceOf(player)).toBe(before - price);
  });
});

test('concurrent refund requests for one order never refund more than was paid', async () => {
  const player = anyPlayer();
  const order = await orderPack(context, player, 'card');
  await payByCard(context, player, order.paymentId);
  await shop.during(untilIdle(shop));
  const requests = manyRefunds(order, player.random);
  logProgress(`${requests.length} refunds of ${order.amountMinor} are asked for`);

  const barrier = await startRowLockBarrier(shop.stack.databaseUrl, order.paymentId);
  const answers = await shop.during(
    inParallel(requests, programsAtOnce, (request) => requestRefund(shop, request)),
  );
  await barrier.stop();
  await shop.during(untilIdle(shop));

  const { paid, refunds } = await moneyAtProvider(shop.provider, order.paymentId);
  const accepted = new Map(
    requests
      .filter((_, index) => answers[index] === 'accepted')
      .map((request) => [request.refundId, request]),
  );
  const left = paid - refunds.reduce((sum, amount) => sum + amount, 0n);
  const waiting = barrier.mostReleased();
  logProgress(
    `${accepted.size} accepted, ${left} of ${paid} left, up to ${waiting} at the same instant`,
  );
  expect(waiting).toBeGreaterThan(1);
  expect(paid).toBe(order.amountMinor);
  expect(left).toBeGreaterThanOrEqual(0n);
  expect(refunds).toHaveLength(accepted.size);
  expect(accepted.size).toBeGreaterThan(0);
  // A refused request exceeded the amount left at that time, and so the amount left now.
  const refused = requests.filter((_, index) => answers[index] !== 'accepted');
  expect(refused.filter(({ amountMinor }) => (amountMinor ?? 0n) <= left && left > 0n)).toEqual([]);
  const { refundedMinor } = await callOrThrow(player, orderDetail, { paymentId: order.paymentId });
  expect(refundedMinor).toBe(paid - left);
});

test('the balance at the payment provider equals the ledger after all concurrent payments and refunds', async () => {
  await shop.during(untilIdle(shop));
  expect(await shop.during(providerBalanceDifferences(shop))).toEqual([]);
});

/**
 * Some requests for the whole price, one for the rest, many partial ones, and a few duplicates.
 */
function manyRefunds({ paymentId, amountMinor }: OrderDetail, random: Random): RefundRequest[] {
  const whole = Array.from({ length: 8 }, () => newRefundRequest(paymentId, amountMinor));
  const rest = newRefundRequest(paymentId, null);
  const parts = Array.from({ length: refundsWanted - 14 }, () =>
    newRefundRequest(paymentId, 1n + BigInt(random.below(Number(amountMinor / 10n)))),
  );
  return random.shuffle([...whole, rest, ...parts, ...parts.slice(0, 5)]);
}

let taken = 4;

/** Returns a player who takes part in no other race. */
function anyPlayer(): Player {
  const player = players[taken];
  taken += 1;
  if (player === undefined) throw new Error('There are not enough players.');
  return player;
}

/** Places an order to be paid with points. */
async function orderForPoints(player: Player): Promise<string> {
  const { paymentId, amountMinor } = await callOrThrow(player, createOrder, {
    ...player.receiver,
    ...item,
    clientOrderId: randomUUID(),
    method: 'epoint',
  });
  expect(amountMinor).toBe(price);
  return paymentId;
}

async function countOrders({ accountId }: Player): Promise<number> {
  const orders = await shop.query('select from orders where account_id = $1', [accountId]);
  return orders.length;
}
