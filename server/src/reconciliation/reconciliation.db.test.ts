import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import type { OrderKey } from '../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { requestRefund } from '../orders/orders.ts';
import { sql } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { queueReconciliation, sweepSettlements } from './reconciliation.ts';

let shop: TestShop;
let buyer: Buyer;
let stopWorker: () => Promise<void>;

// A provider writes the file of a day once, so each test has a world of its own.
beforeEach(async () => {
  // Nobody asks about a payment by itself here: what webhooks do not say, only the file does.
  shop = await openTestShop({ PAYMENT_CHECK_SECONDS: '3600' });
  buyer = await givenBuyer(shop);
  stopWorker = shop.startWorker();
});
afterEach(() => shop.closeAll());

const dayIn = (hours: number) =>
  new Date(Date.now() + hours * 60 * 60_000).toISOString().slice(0, 10);
const today = () => dayIn(0);
const tomorrow = () => dayIn(24);

async function reconcile(day: string): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`update settlement_days set compared_at = null where day = ${day}`),
  );
  await queueReconciliation(shop.payments, { psp: 'stripe', day });
  await eventually(async () => {
    // As if the minute in which the provider writes its file were over.
    await shop.db.transaction((tx) =>
      tx.run(sql`
        update pgboss.job set start_after = now()
        where name = 'reconcile_day' and state = 'created' and start_after > now()`),
    );
    const { is_done } = await shop.db.one(
      z.object({ is_done: z.boolean() }),
      sql`select exists (select from settlement_days where day = ${day} and compared_at is not null) as is_done`,
    );
    return is_done;
  });
}

const CaseRow = z.object({
  subject: z.string(),
  payment_id: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()),
});

function cases() {
  return shop.db.many(
    CaseRow,
    sql`select subject, payment_id, details from cases where kind = 'settlement' order by subject`,
  );
}

const Charges = z.object({
  charges: z.array(z.object({ id: z.string(), payment_intent: z.string() })).length(1),
});

async function givenBoughtPack(): Promise<OrderKey & { captureId: string; chargeId: string }> {
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  const path = `/__sandbox/charges?paymentId=${order.paymentId}`;
  const [charge] = Charges.parse(await shop.stripe.ask(path)).charges;
  if (charge === undefined) throw new Error('nothing was charged');
  return { ...order, captureId: charge.payment_intent, chargeId: charge.id };
}

test('a day of sales, refunds and a dispute that both sides saw alike needs nobody', async () => {
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

test('money that no webhook told of is found in the file: its order is paid, and an operator knows', async () => {
  await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));

  await reconcile(today());

  await untilShown(shop, buyer, order, 'Fulfilled');
  const found = await cases();
  expect(found).toHaveLength(1);
  expect(found[0]?.details).toMatchObject({ difference: 'unknown_here', theirs: '499' });
});

test('every day that has closed since the first payment is compared, once and by itself', async () => {
  await givenBoughtPack();
  // A day whose file is not written yet is queued again by whoever asked for it.
  await stopWorker();
  await shop.db.transaction((tx) =>
    tx.run(sql`update payment_attempts set created_at = now() - interval '3 days'`),
  );
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

describe('a difference becomes a case', () => {
  test.each([498, 500])('when the provider booked %i and we 499', async (amount) => {
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
  });

  test('when the provider never booked what we did: the day after, in its next file', async () => {
    const { paymentId, chargeId } = await givenBoughtPack();
    await shop.stripe.tell('/__sandbox/settlement', { omit: [chargeId] });
    await reconcile(today());
    expect(await cases()).toEqual([]);

    await reconcile(tomorrow());

    const found = await cases();
    expect(found.map(({ payment_id }) => payment_id)).toEqual([paymentId]);
    expect(found[0]?.details).toMatchObject({ difference: 'missing_there', ours: '499' });
  });

  test('when the provider booked a payment that is not ours; looking again opens no second one', async () => {
    await shop.stripe.tell('/__sandbox/settlement', {
      invent: [
        {
          amount: 1234,
          currency: 'usd',
          reportingCategory: 'charge',
          sourceId: 'ch_stranger',
          chargeId: 'ch_stranger',
          paymentIntentId: 'pi_stranger',
        },
      ],
    });
    await reconcile(today());
    await reconcile(today());
    const found = await cases();
    expect(found).toHaveLength(1);
    expect(found[0]?.details).toMatchObject({
      difference: 'unknown_here',
      captureId: 'pi_stranger',
      theirs: '1234',
    });
  });
});
