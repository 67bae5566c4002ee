import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import type { OrderKey } from '../../../test/orders.ts';
import { dayIn, reconcileDay, settlementCases } from '../../../test/reconciling.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { firstIdAt, newId } from '../../platform/ids.ts';
import { requestRefund } from '../orders/orders.ts';
import { queueReconciliation, sweepSettlements } from './reconciliation.ts';

let shop: TestShop;
let buyer: Buyer;
let stopWorker: () => Promise<void>;

// A provider writes the file of a day only once, so each test opens its own shop and provider.
beforeEach(async () => {
  // Polling is off, so a payment without a webhook is found only in the settlement file.
  shop = await openTestShop({ PAYMENT_CHECK_SECONDS: '3600' });
  buyer = await givenBuyer(shop);
  stopWorker = shop.startWorker();
});
afterEach(() => shop.closeAll());

const today = () => dayIn(0);
const tomorrow = () => dayIn(24);
const reconcile = (day: string) => reconcileDay(shop, 'stripe', day);

const cases = () => settlementCases(shop);

const Charges = z.object({
  charges: z.array(z.object({ id: z.string(), payment_intent: z.string() })).length(1),
});

async function givenBoughtPack(): Promise<OrderKey & { captureId: string; chargeId: string }> {
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  const path = `/__sandbox/charges?paymentId=${order.paymentId}`;
  const [charge] = Charges.parse(await shop.stripe.ask(path)).charges;
  if (charge === undefined) throw new Error('the order has no charge');
  return { ...order, captureId: charge.payment_intent, chargeId: charge.id };
}

test('a day on which ledger and settlement file agree about sales, refunds and a dispute opens no operator case', async () => {
  await givenBoughtPack();
  const refunded = await givenBoughtPack();
  await shop.db.transaction((tx) =>
    requestRefund(tx, shop.effects, refunded, {
      refundId: newId(),
      amountMinor: 100n,
      captureId: null,
      reason: 'goodwill',
      by: 'test',
    }),
  );
  const disputed = await givenBoughtPack();
  await shop.stripe.tell('/__sandbox/disputes', {
    paymentIntent: disputed.captureId,
    stage: 'open',
  });
  await eventually(async () => {
    const rows = await shop.db.many(
      z.object({ posting: z.string() }),
      sql`select posting from ledger_transfers where posting like 'refund:%' or posting like 'dispute:%'`,
    );
    return rows.length >= 2;
  });

  await reconcile(today());

  expect(await cases()).toEqual([]);
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`select count(*)::int from settlement_lines where kind <> 'other'`,
  );
  expect(count).toBeGreaterThanOrEqual(5);
});

test('a payment without a webhook is found in the settlement file, pays its order and opens an operator case', async () => {
  await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));

  await reconcile(today());

  await untilShown(shop, buyer, order, 'Fulfilled');
  const found = await cases();
  expect(found).toHaveLength(1);
  expect(found[0]?.payment_id).toBe(order.paymentId);
  expect(found[0]?.details).toMatchObject({ difference: 'not_told', theirs: '499' });
});

test('every settlement day that is over since the first payment is queued once for comparison with its settlement file', async () => {
  await givenBoughtPack();
  // A running worker would requeue a day whose file is not written yet.
  await stopWorker();
  await shop.db.transaction(async (tx) => {
    // Only the day in the attempt's payment id matters here, so the order keeps its own id.
    await tx.run(sql`set local session_replication_role = replica`);
    const paymentId = firstIdAt(new Date(Date.now() - 72 * 60 * 60_000));
    await tx.run(sql`update payment_attempts set payment_id = ${paymentId}`);
  });
  // Two hours after midnight a day has closed.
  const lastClosed = dayIn(-26);
  const expected = [-72, -48, -24].map(dayIn).filter((day) => day <= lastClosed);

  await sweepSettlements(shop.payments);
  await sweepSettlements(shop.payments);

  const days = await shop.db.many(
    z.object({ day: z.string() }),
    sql`select day::text from settlement_days where psp = 'stripe' order by day`,
  );
  expect(days.map(({ day }) => day)).toEqual(expected);
  const jobs = await shop.db.many(
    z.object({ day: z.string() }),
    sql`select data ->> 'day' as day from pgboss.job where name = 'reconcile_day' order by 1`,
  );
  expect(jobs.map(({ day }) => day)).toEqual(expected);
});

test('a day whose settlement file is not compared within 24 hours opens one operator case', async () => {
  await stopWorker();
  const day = dayIn(-72);
  await shop.db.transaction((tx) => queueReconciliation(tx, shop.payments, { psp: 'stripe', day }));
  await sweepSettlements(shop.payments);
  expect(await cases()).toEqual([]);

  await shop.db.transaction((tx) =>
    tx.run(
      sql`update settlement_days set asked_at = now() - interval '25 hours' where day = ${day}`,
    ),
  );
  await sweepSettlements(shop.payments);
  await sweepSettlements(shop.payments);

  const [found, ...others] = await cases();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    subject: `stripe:${day}:not_compared`,
    details: { difference: 'not_compared' },
  });
});

describe('settlement differences', () => {
  test.each([498, 500])(
    "a capture of 499 that the provider's settlement file lists as %i opens an operator case",
    async (amount) => {
      const { paymentId, chargeId } = await givenBoughtPack();
      await shop.stripe.tell('/__sandbox/settlement', { alter: { [chargeId]: amount } });

      await reconcile(today());

      const [found, ...others] = await cases();
      expect(others).toEqual([]);
      expect(found?.payment_id).toBe(paymentId);
      expect(found?.details).toEqual({
        difference: 'missing_here',
        kind: 'capture',
        currency: 'USD',
        theirs: String(amount),
        ours: '499',
      });
    },
  );

  test("a capture missing from a settlement file opens an operator case when the next day's file lacks it too", async () => {
    const { paymentId, chargeId } = await givenBoughtPack();
    await shop.stripe.tell('/__sandbox/settlement', { omit: [chargeId] });
    await reconcile(today());
    expect(await cases()).toEqual([]);

    await reconcile(tomorrow());

    const found = await cases();
    expect(found.map(({ payment_id }) => payment_id)).toEqual([paymentId]);
    expect(found[0]?.details).toMatchObject({ difference: 'missing_there', ours: '499' });
  });

  test('thirty settled payments unknown to the shop open one operator case, and a second comparison opens no other', async () => {
    const strangers = Array.from({ length: 30 }, (_, index) => `pi_stranger_${index}`);
    await shop.stripe.tell('/__sandbox/settlement', {
      invent: strangers.map((paymentIntentId) => ({
        id: `txn_of_${paymentIntentId}`,
        amount: 1234,
        currency: 'usd',
        reportingCategory: 'charge',
        paymentIntentId,
        sourceId: `ch_of_${paymentIntentId}`,
        chargeId: `ch_of_${paymentIntentId}`,
      })),
    });
    await reconcile(today());
    await reconcile(today());
    const found = await cases();
    expect(found).toHaveLength(1);
    expect(found[0]?.details).toMatchObject({
      difference: 'unknown_here',
      sums: [{ kind: 'capture', currency: 'USD', lines: 30, theirs: String(30 * 1234) }],
    });
    const shown = z.array(z.object({ captureId: z.string() })).parse(found[0]?.details.lines);
    expect(shown).toHaveLength(20);
    expect(strangers).toEqual(expect.arrayContaining(shown.map(({ captureId }) => captureId)));
  });
});
