import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  chargesOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  payAtProvider,
} from '../../test/buying.ts';
import { brokenLinks, hurryJobs, type OrderKey, recordsOf } from '../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  // Two workers compete for every job.
  shop.startWorker();
  shop.startWorker();
});
afterAll(() => shop.closeAll());

const ordersCount = 50;
const playersCount = 5;

test('fifty orders paid concurrently with tripled webhooks and failing game calls are each delivered once', async () => {
  // One event type announces a payment; the test needs three deliveries of each event.
  const enabledEvents = ['checkout.session.completed'];
  await shop.stripe.tell('/__sandbox/webhooks', { enabledEvents, plan: { duplicate: 2 } });
  const buyers = await Promise.all(Array.from({ length: playersCount }, () => givenBuyer(shop)));
  const bought = await Promise.all(
    Array.from({ length: ordersCount }, (_, index) => buy(buyers, index)),
  );
  for (const kind of ['http500_before', 'http500_after_commit', 'cut_after_commit']) {
    await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, times: 5 });
  }
  const match = 'GET /v1/checkout/sessions/:id';
  await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_before', times: 5 });

  await Promise.all(bought.map(({ sessionId }) => payAtProvider(shop, sessionId)));

  await eventually(async () => {
    await hurryJobs(shop.db, ...bought.map(({ order }) => order));
    return (await countArrived()) === ordersCount;
  });
  for (const { order, packs } of bought) await arrivedOnce(order, packs);
  const totalMinor = bought.reduce((sum, { packs }) => sum + 499n * BigInt(packs), 0n);
  expect(await booksOfHouse()).toEqual({
    'house:psp': -totalMinor,
    'player:deposit': 0n,
    'house:sales': totalMinor,
  });
});

async function buy(buyers: readonly Buyer[], index: number) {
  const buyer = buyers[index % buyers.length];
  if (buyer === undefined) throw new Error('there are no buyers');
  const packs = (index % 3) + 1;
  const order = await givenOrder(shop, buyer, { quantity: packs });
  return { order, packs, sessionId: await openPage(shop, buyer, order) };
}

async function arrivedOnce(order: OrderKey, packs: number): Promise<void> {
  const amount = 499 * packs;
  const records = await recordsOf(shop.db, order);
  expect(records.order).toMatchObject({ state: 'arrived', review_reason: null });
  expect(brokenLinks(records)).toEqual([]);
  expect(records.transfers.map((transfer) => transfer.amount_minor)).toEqual(
    [amount, amount].map(BigInt),
  );
  expect(await chargesOf(shop, order)).toMatchObject([{ amount, currency: 'usd' }]);
  expect(await grantsOf(shop, order)).toEqual([{ sku: 'lumen_shard', quantity: 330 * packs }]);
}

async function countArrived(): Promise<number> {
  const Count = z.object({ count: z.int() });
  return (await shop.db.one(Count, sql`select count(*)::int from orders where state = 'arrived'`))
    .count;
}

async function booksOfHouse(): Promise<Record<string, bigint>> {
  const rows = await shop.db.many(
    z.object({ book: z.string(), balance: z.bigint() }),
    sql`
      select book, sum(amount)::bigint as balance
      from ledger_transfers, lateral (values (credit_book, amount_minor), (debit_book, -amount_minor))
        as side (book, amount)
      where unit = 'USD' group by book`,
  );
  return Object.fromEntries(rows.map(({ book, balance }) => [book, balance]));
}
