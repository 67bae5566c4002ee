import { z } from 'zod';
import { Country, CurrencyName, DecimalText, PriceUnitName } from './parts.ts';

/** A line of `prices.csv`, and of the list that `load-prices` takes. */
export const PriceLine = z
  .strictObject({
    itemId: z.string().describe('The id of an item or of a pack of E Points.'),
    currency: PriceUnitName.describe('A currency, or EPOINT for the price in points.'),
    country: Country.nullable()
      .default(null)
      .describe('Null for every country without a price of its own.'),
    amount: DecimalText,
  })
  .describe('A price of an item or of a pack of E Points.');
export type PriceLine = z.output<typeof PriceLine>;

export const PriceList = z.array(PriceLine).min(1).max(100_000);
export type PriceList = z.output<typeof PriceList>;

const Whole = z.int().min(1);

/** An entry of `price-rules.yaml`. */
export const PriceRule = z
  .strictObject({
    currency: CurrencyName.describe('The currency of the prices that the rule makes.'),
    baseCurrency: CurrencyName.describe('The currency of the prices that it makes them from.'),
    rate: z
      .strictObject({ numerator: Whole, denominator: Whole })
      .describe('The rate from the smallest unit of the base currency to that of the other.'),
    prices: z.array(DecimalText).min(1).describe('The customary prices, as text.'),
    step: DecimalText.describe('Above the last customary price every multiple of this is one.'),
  })
  .describe('How prices in one currency follow from those in another.');
export type PriceRule = z.output<typeof PriceRule>;

export const PriceRules = z.array(PriceRule).max(1_000);
