import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contentsBefore } from '../tools/old-orders/old-orders.ts';
import { openAcknowledgements } from './acknowledgements.ts';
import { watchCalls } from './latency.ts';
import { givenOldOrders } from './old-orders.ts';
import { operate } from './operate.ts';
import { pause } from './pause.ts';
import { givenPlayers } from './players.ts';
import { logProgress } from './progress.ts';
import { orderPack, payByCard } from './purchases.ts';
import { randomOfThisRun } from './random.ts';
import { openShop } from './shop.ts';
import { startShopping } from './shopping.ts';
import { untilIdle } from './until-idle.ts';

const ordersWanted = Number(process.env.DRILL_ORDERS || 240_000);
const months = 24;
const archived = 12;
// A tolerance, because the whole shop and other work share one machine.
const slowerMsMax = 500;

test('twelve months of orders are archived and restored unchanged while players go on buying', async () => {
  const random = randomOfThisRun();
  const shop = await openShop({ apis: 2, workers: 2 });
  onTestFinished(shop.close);
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const context = { provider: shop.provider, acknowledgements: openAcknowledgements() };
  const players = await givenPlayers(shop, 4, random);
  const [buyer, ...others] = players;
  if (buyer === undefined) throw new Error('There is no player.');
  const { paymentId } = await orderPack(context, buyer, 'card');
  await payByCard(context, buyer, paymentId);
  await shop.during(untilIdle(shop));
  const ordersPerMonth = Math.ceil(ordersWanted / months);
  const made = await givenOldOrders(shop, { months, ordersPerMonth, paymentId, players: others });
  const old = made.slice(-archived).toReversed();
  const firstKept = made[months - archived - 1] ?? '';
  const before = await contentsBefore(shop.query, firstKept);

  const shopping = startShopping(context, [buyer], () => {});
  const watched = watchCalls(others);
  const during = <T>(work: Promise<T>) =>
    shop.during(Promise.race([work, shopping.failure, watched.failure]));
  await during(pause(10_000));
  watched.take();
  await during(pause(30_000));
  const usual = watched.take();
  logProgress(`as usual: ${JSON.stringify(usual)}`);

  const slow: Record<string, number> = {};
  for (const command of ['archive', 'restore']) {
    const begun = performance.now();
    for (const month of old) await during(operate(shop, [command, month, '--folder', folder]));
    const measured = watched.take();
    slow[command] = measured.slowest - usual.slowest;
    const seconds = (performance.now() - begun) / 1000;
    logProgress(`${command}, ${seconds.toFixed(0)} s: ${JSON.stringify(measured)}`);
    if (command === 'archive') {
      const { order_keys: keys, orders } = await contentsBefore(shop.query, firstKept);
      expect([keys?.rows, orders?.rows]).toEqual(['0', '0']);
    }
  }
  await during(Promise.all([shopping.stop(), watched.stop()]));

  expect(await contentsBefore(shop.query, firstKept)).toEqual(before);
  expect(slow.archive).toBeLessThan(slowerMsMax);
  expect(slow.restore).toBeLessThan(slowerMsMax);
});
