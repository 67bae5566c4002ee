import { Quote } from '@pointgate/contract/catalogue.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { effort } from '../../test/effort.ts';
import { type ItemGoods, type Offer, offerOf } from '../catalogue/offers.ts';
import { AppError } from '../platform/errors.ts';
import { priceOrder } from './pricing.ts';

const currencies = ['USD', 'JPY'] as const satisfies CurrencyCode[];

const amount = fc.bigInt({ min: 1n, max: 100_000n });
const goods = fc
  .record({
    usd: amount,
    jpy: fc.option(amount),
    points: fc.option(amount),
    quantity: amount,
    giftQuantity: fc.bigInt({ min: 0n, max: 100n }),
    giftDays: fc.option(fc.integer({ min: 1, max: 365 })),
    sku: fc.constantFrom('lumen_shard', 'gold'),
  })
  .map(({ usd, jpy, points, ...rest }): ItemGoods => {
    const prices: Record<string, bigint> = { 'USD/*': usd };
    if (jpy !== null) prices['JPY/*'] = jpy;
    if (points !== null) prices['EPOINT/*'] = points;
    return { ...item, ...rest, prices };
  });

const item: ItemGoods = {
  kind: 'item',
  id: 'shards_300',
  gameId: 'solmere',
  groupId: 'omni-cards',
  name: { 'en-US': 'Shards' },
  unit: { 'en-US': 'Shards' },
  sku: 'lumen_shard',
  quantity: 300n,
  giftQuantity: 30n,
  giftDays: null,
  tier: 'tide',
  badge: null,
  art: 'shard2',
  systems: ['ios', 'android'],
  saleFrom: null,
  saleUntil: null,
  quota: null,
  prices: { 'USD/*': 499n },
};

/** Everything that an offer charges and gives, computed without the tested code. */
function promiseOf({ goods, price }: Offer<ItemGoods>): string {
  const { id, sku, quantity, giftQuantity, giftDays, prices } = goods;
  const points = prices['EPOINT/*'];
  return [
    id,
    sku,
    quantity,
    giftQuantity,
    giftDays,
    price.amountMinor,
    price.currency,
    points,
  ].join();
}

const offerIn = (of: ItemGoods, currency: CurrencyCode) =>
  offerOf(of, [], { system: 'ios', currency, country: null, now: 0 });

/** The change of the catalogue between list and order: none, of one field, or of all fields. */
const between = fc
  .tuple(goods, goods, fc.constantFrom('nothing', 'one thing', 'anything'))
  .chain(([shown, other, change]) =>
    fc
      .constantFrom('prices', 'quantity', 'giftQuantity', 'giftDays', 'sku' as const)
      .map((field): { shown: ItemGoods; now: ItemGoods } => {
        if (change === 'nothing') return { shown, now: { ...shown } };
        return {
          shown,
          now: change === 'anything' ? other : { ...shown, [field]: other[field as 'sku'] },
        };
      }),
  );

const order = fc.record({
  worlds: between,
  method: fc.constantFrom<PaymentMethod[]>('card', 'epoint'),
  quantity: fc.integer({ min: 1, max: 99 }),
  listed: fc.constantFrom(...currencies),
  asked: fc.option(fc.constantFrom(...currencies), { nil: undefined }),
  quote: fc.constantFrom('shown', 'shown', 'shown', 'none', 'made up'),
  couponId: fc.constantFrom(undefined, undefined, '0198a000-0000-7000-8000-0000000000aa'),
});

test('an order is charged the price of its quote or refused, after any generated catalogue change', () => {
  const orders = effort({ gate: 10_000, night: 50_000 });
  const seen = { charged: 0, PriceChanged: 0, ItemNotForSale: 0 };
  fc.assert(
    fc.property(order, ({ worlds, method, quantity, listed, asked, quote, couponId }) => {
      const { shown, now } = worlds;
      const list = offerIn(shown, listed);
      const offer = offerIn(now, asked ?? 'USD');
      // Items that are not listed cannot be ordered; other tests cover that.
      fc.pre(typeof list === 'object' && typeof offer === 'object');
      if (typeof list !== 'object' || typeof offer !== 'object') return;
      const quoteIds = { shown: list.quoteId, none: undefined, 'made up': 'a'.repeat(32) };
      const quoteId = quoteIds[quote as 'shown'];
      const request = { method, quantity, currency: asked, quoteId, couponId };
      const outcome = attempt(() => priceOrder(offer, request));

      if (outcome instanceof AppError) {
        expect(['PriceChanged', 'ItemNotForSale']).toContain(outcome.code);
        seen[outcome.code as 'PriceChanged'] += 1;
        if (outcome.code !== 'PriceChanged') return;
        const told = z.decode(Quote, outcome.data as never); // as: decode checks it
        expect(told).toMatchObject({ quoteId: offer.quoteId, price: offer.price });
        return;
      }
      seen.charged += 1;
      const isInPoints = method === 'epoint';
      const currency = isInPoints ? 'EPOINT' : (asked ?? 'USD');
      const each = now.prices[`${currency}/*`] ?? 0n;
      expect(outcome).toEqual({ amountMinor: each * BigInt(quantity), currency });
      if (quote === 'shown') expect(promiseOf(offer)).toBe(promiseOf(list));
      // An order with a coupon always needs a valid quote.
      else expect([quote, couponId]).toEqual(['none', undefined]);
    }),
    { numRuns: orders },
  );
  // Each outcome must occur often enough for the test to mean something.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(orders / 100);
});

test('an order whose price quote is still valid is charged the quoted price', () => {
  fc.assert(
    fc.property(goods, fc.constantFrom(...currencies), (known, currency) => {
      const list = offerIn(known, currency);
      if (typeof list !== 'object') return;
      const request = { method: 'card' as const, quantity: 1, currency, quoteId: list.quoteId };
      const again = offerIn({ ...known, name: { 'en-US': 'A better name' } }, currency);
      if (typeof again !== 'object') throw new Error('the item is not on sale');
      expect(priceOrder(again, request)).toEqual(list.price);
    }),
  );
});

function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
