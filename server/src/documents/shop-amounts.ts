import type { PriceLine, PriceRule } from '@pointgate/contract/documents/prices.ts';
import { type PriceUnit, pointsUnit } from '@pointgate/contract/money.ts';
import type { SellingSite } from '../catalogue/price-list.ts';
import { anyCountry, type Prices } from '../catalogue/prices.ts';
import { readDecimalAmount, readDecimals } from '../platform/decimal-amount.ts';
import type { SiteOfShop } from './shop-documents.ts';

export function minorIn(amount: string, unit: PriceUnit): bigint | undefined {
  return unit === pointsUnit ? readDecimals(amount, 0) : readDecimalAmount(amount, unit);
}

/** The amount of a line that has been checked. */
export function amountOf({ amount, currency }: Pick<PriceLine, 'amount' | 'currency'>): bigint {
  const minor = minorIn(amount, currency);
  if (minor === undefined) throw new Error('the amount has not been checked');
  return minor;
}

export function pricesOf(lines: readonly PriceLine[]): Prices {
  return Object.fromEntries(
    lines.map((line) => [`${line.currency}/${line.country ?? anyCountry}`, amountOf(line)]),
  );
}

export function ruleTerms({ currency, baseCurrency, rate, prices, step }: PriceRule) {
  return {
    currency,
    baseCurrency,
    rateNumerator: BigInt(rate.numerator),
    rateDenominator: BigInt(rate.denominator),
    pointsMinor: prices.map((amount) => amountOf({ amount, currency })),
    stepMinor: amountOf({ amount: step, currency }),
    rounding: 'nearest' as const,
  };
}

/** A site as far as prices and promotions depend on it. */
export function sellingSite({ id, value }: SiteOfShop): SellingSite {
  return {
    siteId: id,
    gameIds: gameIdsOf(value),
    currencies: [value.currency, ...value.otherCurrencies],
    countries: value.countries,
    priceCountry: value.priceCountry,
    methods: value.methods,
  };
}

/** The games that a site sells, in display order. */
export function gameIdsOf({ gameId, gameIds = [] }: SiteOfShop['value']): string[] {
  return gameId === undefined ? gameIds : [gameId];
}
