import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { openSites } from '../sites/sites.ts';
import { loadPriceList, PriceList } from './price-list.ts';

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

const load = (list: z.input<typeof PriceList>) =>
  loadPriceList({ db: shop.db, sites: openSites(shop.db) }, PriceList.parse(list));

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

test('amounts are read as they are written: with the decimals that the currency has', async () => {
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
  ['nothing', { currency: 'USD', amount: '0' }, '0 is no price'],
  ['less than nothing', { currency: 'USD', amount: '-1' }, '-1 is no price'],
  ['a number with a comma', { currency: 'USD', amount: '4,99' }, '4,99 is no price'],
  ['half a point', { currency: 'EPOINT', amount: '0.5' }, '0.5 is no price'],
] as const)('a list with %s is refused whole', async (_what, line, complaint) => {
  const before = await priceOf('shards_60', 'USD');
  const { complaints } = await load([
    { itemId: 'shards_60', currency: 'USD', amount: '77' },
    { itemId: 'shards_980', ...line },
  ]);
  expect(complaints).toEqual([expect.stringContaining(complaint)]);
  expect(await priceOf('shards_60', 'USD')).toBe(before);
});

test('each line that is wrong is named', async () => {
  const { complaints } = await load([
    { itemId: 'nothing_like_it', currency: 'USD', amount: '1' },
    { itemId: 'epoint_500', currency: 'EPOINT', amount: '1' },
  ]);
  expect(complaints).toEqual([
    'nothing_like_it USD: there is no such item',
    'epoint_500 EPOINT: no site that sells it takes this',
  ]);
});
