import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import { dayIn, reconcileDay, settlementCases } from '../../../test/reconciling.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;

// A provider writes the file of a day only once, so each test opens its own shop and provider.
beforeEach(async () => {
  // Polling is off, so a payment without a webhook is found only in the settlement file.
  shop = await openTestShop({ PAYMENT_CHECK_SECONDS: '3600' });
  buyer = await givenBuyer(shop);
  shop.startWorker();
});
afterEach(() => shop.closeAll());

const today = () => dayIn(0);

const Posted = z.object({
  line_id: z.string(),
  debit_book: z.string(),
  unit: z.string(),
  amount_minor: z.bigint(),
  day: z.string(),
});
const posted = () =>
  shop.db.many(
    Posted,
    sql`
      select line_id, debit_book, unit, amount_minor, day::text from house_transfers
      order by line_id`,
  );

const strangers = {
  id: 'txn_stranger',
  amount: 1234,
  fee: 66,
  currency: 'usd',
  reportingCategory: 'charge',
  paymentIntentId: 'pi_stranger',
  sourceId: 'ch_stranger',
  chargeId: 'ch_stranger',
};

test('provider fees and payouts are posted to the ledger once, on the day of the settlement file', async () => {
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  await shop.stripe.tell('/__sandbox/payouts', { currency: 'USD', amount: 300 });

  await reconcileDay(shop, 'stripe', today());

  const rows = await posted();
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(
    expect.objectContaining({ debit_book: 'house:fees', unit: 'USD', amount_minor: 44n }),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({ debit_book: 'house:bank', unit: 'USD', amount_minor: 300n }),
  );
  expect(new Set(rows.map(({ day }) => day))).toEqual(new Set([today()]));
  // A fee is not a difference between the captured amounts.
  expect(await settlementCases(shop)).toEqual([]);

  await reconcileDay(shop, 'stripe', today());
  expect(await posted()).toEqual(rows);
});

test('a provider fee for a payment that the shop does not know is not posted to the ledger and is listed in an operator case', async () => {
  await shop.stripe.tell('/__sandbox/settlement', { invent: [strangers] });
  await reconcileDay(shop, 'stripe', today());

  expect(await posted()).toEqual([]);
  const [found, ...more] = await settlementCases(shop);
  expect(more).toEqual([]);
  expect(found?.details).toMatchObject({
    difference: 'unknown_here',
    sums: [
      { kind: 'capture', currency: 'USD', lines: 1, theirs: '1234' },
      { kind: 'fee', currency: 'USD', lines: 1, theirs: '-66' },
    ],
  });
});

test('the provider fee of a payment without a webhook is posted to the ledger once the payment is known', async () => {
  await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await reconcileDay(shop, 'stripe', dayIn(-24));
  await reconcileDay(shop, 'stripe', today());
  await untilShown(shop, buyer, order, 'Fulfilled');

  // The comparison of the next day repeats the days before it.
  await reconcileDay(shop, 'stripe', dayIn(24));

  expect(await posted()).toMatchObject([{ debit_book: 'house:fees', amount_minor: 44n }]);
});
