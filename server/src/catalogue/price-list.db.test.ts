import { PriceList } from '@pointgate/contract/documents/prices.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { openSites, sitesIn } from '../publisher/sites/sites.ts';
import { loadPriceList, soldPriceComplaints } from './price-list.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sites set other_currencies = array['JPY', 'KRW'], countries = array['JP', 'US']
      where id = 'solmere'`),
  );
});
afterAll(() => shop.closeAll());

/** Loads the list as an operator does: complaints roll it back. */
async function load(list: z.input<typeof PriceList>): Promise<{ complaints: string[] }> {
  let complaints: string[] = [];
  const loaded = shop.db.transaction(async (tx) => {
    complaints = await loadPriceList(tx, PriceList.parse(list), await sitesIn(tx));
    if (complaints.length > 0) throw new Error('rolled back');
  });
  await loaded.catch((error: Error) => expect(error.message).toBe('rolled back'));
  return { complaints };
}

const Amount = z.object({ amount_minor: z.bigint() });
const priceOf = async (itemId: string, currency: string, country = '*') => {
  const row = await shop.db.maybeOne(
    Amount,
    sql`
      select amount_minor from item_prices
      where item_id = ${itemId} and currency = ${currency} and country = ${country}
      union all
      select amount_minor from point_pack_prices
      where pack_id = ${itemId} and currency = ${currency} and country = ${country}`,
  );
  return row?.amount_minor;
};

test("each amount in an operator's price list is read with the decimals of its currency", async () => {
  const { complaints } = await load([
    { itemId: 'shards_300', currency: 'USD', amount: '5.49' },
    { itemId: 'shards_300', currency: 'JPY', amount: '600' },
    { itemId: 'shards_300', currency: 'JPY', country: 'JP', amount: '650' },
    { itemId: 'shards_300', currency: 'EPOINT', amount: '550' },
    { itemId: 'epoint_500', currency: 'KRW', amount: '6900.00' },
  ]);
  expect(complaints).toEqual([]);
  expect(await priceOf('shards_300', 'USD')).toBe(549n);
  expect(await priceOf('shards_300', 'JPY')).toBe(600n);
  expect(await priceOf('shards_300', 'JPY', 'JP')).toBe(650n);
  expect(await priceOf('shards_300', 'EPOINT')).toBe(550n);
  expect(await priceOf('epoint_500', 'KRW')).toBe(6_900n);
});

test.each([
  ['a currency that no site takes', { currency: 'EUR', amount: '4.99' }, 'no site that sells it'],
  ['a country where no site sells', { currency: 'USD', country: 'DE', amount: '4' }, 'no site'],
  ['half a yen', { currency: 'JPY', amount: '600.5' }, '600.5 is no price'],
  ['a price of zero', { currency: 'USD', amount: '0' }, '0 is no price'],
  ['a negative price', { currency: 'USD', amount: '-1' }, '-1 is no price'],
  ['a decimal comma', { currency: 'USD', amount: '4,99' }, '4,99 is no price'],
  ['half a point', { currency: 'EPOINT', amount: '0.5' }, '0.5 is no price'],
] as const)(
  "an operator's price list with %s is refused as a whole",
  async (_what, line, complaint) => {
    const before = await priceOf('shards_60', 'USD');
    const { complaints } = await load([
      { itemId: 'shards_60', currency: 'USD', amount: '77' },
      { itemId: 'shards_980', ...line },
    ]);
    expect(complaints).toEqual([expect.stringContaining(complaint)]);
    expect(await priceOf('shards_60', 'USD')).toBe(before);
  },
);

describe('prices that no payment method can charge', () => {
  const set = (values: ReturnType<typeof sql>) =>
    shop.db.transaction((tx) => tx.run(sql`update sites set ${values} where id = 'solmere'`));
  beforeAll(() =>
    set(sql`other_currencies = array['JPY', 'KRW', 'TWD'], methods = array['card', 'paypal']`),
  );
  afterAll(() =>
    set(sql`other_currencies = array['JPY', 'KRW'], methods = array['card', 'epoint']`),
  );

  test("a price in an operator's price list that PayPal cannot charge is refused with item, currency, method and reason", async () => {
    const line = { itemId: 'shards_300', currency: 'TWD' } as const; // as: keeps the literal types
    expect((await load([{ ...line, amount: '149.50' }])).complaints).toEqual([
      'shards_300 TWD: paypal at site solmere counts this currency in larger units',
    ]);
    expect(await priceOf('shards_300', 'TWD')).toBeUndefined();
    expect((await load([{ ...line, amount: '150' }])).complaints).toEqual([]);
    expect(await priceOf('shards_300', 'TWD')).toBe(15_000n);
  });

  test("a price in an operator's price list below the minimum card charge is refused", async () => {
    const before = await priceOf('shards_60', 'USD');
    const line = { itemId: 'shards_60', currency: 'USD' } as const; // as: keeps the literal types
    expect((await load([{ ...line, amount: '0.49' }])).complaints).toEqual([
      'shards_60 USD: card at site solmere takes no less than its minimum',
    ]);
    expect(await priceOf('shards_60', 'USD')).toBe(before);
    expect((await load([{ ...line, amount: '0.50' }])).complaints).toEqual([]);
  });

  test("a price in an operator's price list is accepted in a currency that only one payment method of the site takes", async () => {
    const { complaints } = await load([{ itemId: 'shards_300', currency: 'KRW', amount: '7000' }]);
    expect(complaints).toEqual([]);
  });

  test("a price in an operator's price list is refused in a currency that no payment method of the site takes", async () => {
    await set(sql`methods = array['paypal', 'epoint']`);
    const before = await priceOf('epoint_500', 'KRW');
    const { complaints } = await load([{ itemId: 'epoint_500', currency: 'KRW', amount: '7100' }]);
    expect(complaints).toEqual([
      'epoint_500 KRW: no method of site solmere takes this currency (paypal)',
    ]);
    expect(await priceOf('epoint_500', 'KRW')).toBe(before);
    await set(sql`methods = array['card', 'paypal']`);
  });

  test("a valid price in an operator's price list is refused if a price rule derives an unchargeable price from it", async () => {
    await shop.db.transaction((tx) =>
      tx.run(sql`
        insert into price_rules (currency, base_currency, rate_numerator, rate_denominator,
                                 price_points, step_minor, rounding)
        values ('TWD', 'USD', 32, 1, '{}', 50, 'nearest')`),
    );
    const before = await priceOf('shards_60', 'USD');
    const { complaints } = await load([{ itemId: 'shards_60', currency: 'USD', amount: '5.45' }]);
    expect(complaints).toEqual([
      'shards_60 TWD: paypal at site solmere counts this currency in larger units',
    ]);
    expect(await priceOf('shards_60', 'USD')).toBe(before);

    // The check of all sold prices also reports prices that a rule makes.
    const sites = await openSites(shop.db).all();
    const found = await soldPriceComplaints(shop.db, sites);
    await shop.db.transaction((tx) =>
      tx.run(sql`update price_rules set step_minor = 100 where currency = 'TWD'`),
    );
    expect(await soldPriceComplaints(shop.db, sites)).toEqual([]);
    await shop.db.transaction((tx) => tx.run(sql`delete from price_rules where currency = 'TWD'`));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((each) => !each.includes(' TWD: paypal at site solmere'))).toEqual([]);
  });
});

test("the refusal of an operator's price list names every wrong line of the file", async () => {
  const { complaints } = await load([
    { itemId: 'nothing_like_it', currency: 'USD', amount: '1' },
    { itemId: 'epoint_500', currency: 'EPOINT', amount: '1' },
  ]);
  expect(complaints).toEqual([
    'nothing_like_it USD: there is no such item',
    'epoint_500 EPOINT: no site that sells it takes this',
  ]);
});
