import type { CurrencyCode, PriceUnit } from '@pointgate/contract/money.ts';

/** Amounts by `currency/country`; the country `*` stands for every other country. */
export type Prices = Readonly<Record<string, bigint>>;

/** Derives the price in one currency from the price in another. */
export interface PriceRule {
  currency: CurrencyCode;
  country: string;
  baseCurrency: CurrencyCode;
  /** Minor units per minor unit: yen per cent, not yen per dollar. */
  rateNumerator: bigint;
  rateDenominator: bigint;
  /** The allowed prices. Above the last one every multiple of the step is allowed. */
  pointsMinor: readonly bigint[];
  stepMinor: bigint;
  rounding: 'up' | 'nearest' | 'down';
}

/** Stands for every country without a price of its own. */
export const anyCountry = '*';

/**
 * The price in a currency: the fixed price of the country, else the price by a rule for the
 * country, else the same for `*`. Undefined if there is none; then it is not for sale.
 */
export function priceIn<Unit extends PriceUnit>(
  prices: Prices,
  rules: readonly PriceRule[],
  { unit, country }: { unit: Unit; country: string | null },
): { amountMinor: bigint; currency: Unit } | undefined {
  const amountMinor =
    (country === null ? undefined : amountFor(prices, rules, { unit, country })) ??
    amountFor(prices, rules, { unit, country: anyCountry });
  return amountMinor === undefined ? undefined : { amountMinor, currency: unit };
}

function amountFor(
  prices: Prices,
  rules: readonly PriceRule[],
  { unit, country }: { unit: PriceUnit; country: string },
): bigint | undefined {
  const byHand = prices[`${unit}/${country}`];
  if (byHand !== undefined) return byHand;
  const rule = rules.find((each) => each.currency === unit && each.country === country);
  // The base is always a fixed price, because a rule on top of a rule would round twice.
  const base = rule === undefined ? undefined : prices[`${rule.baseCurrency}/${anyCountry}`];
  return rule === undefined || base === undefined ? undefined : pricePoint(base, rule);
}

/** The price point for a base price, never zero. */
export function pricePoint(
  baseMinor: bigint,
  rule: Omit<PriceRule, 'currency' | 'country' | 'baseCurrency'>,
): bigint {
  // Multiplied by the denominator, so that nothing is lost before rounding.
  const exact = baseMinor * rule.rateNumerator;
  const scale = rule.rateDenominator;
  const points = rule.pointsMinor.toSorted((one, other) => (one < other ? -1 : 1));
  const last = points.at(-1);
  const candidates =
    last !== undefined && exact <= last * scale
      ? [
          points.findLast((point) => point * scale <= exact),
          points.find((point) => point * scale >= exact),
        ]
      : stepsAround(exact, { scale, step: rule.stepMinor, least: last });
  const [below, above] = candidates;
  return nearest({ exact, scale, below, above, rounding: rule.rounding });
}

/** The multiples of the step below and above, none of them below the last price point. */
function stepsAround(
  exact: bigint,
  { scale, step, least }: { scale: bigint; step: bigint; least: bigint | undefined },
): [bigint | undefined, bigint] {
  const floor = (exact / (step * scale)) * step;
  const above = floor * scale === exact ? floor : floor + step;
  const below = least !== undefined && floor < least ? least : floor;
  return [below > 0n ? below : undefined, above];
}

function nearest({
  exact,
  scale,
  below,
  above,
  rounding,
}: {
  exact: bigint;
  scale: bigint;
  below: bigint | undefined;
  above: bigint | undefined;
  rounding: PriceRule['rounding'];
}): bigint {
  const only = below ?? above;
  if (only === undefined) throw new Error('the price rule has no price point on either side');
  if (below === undefined || above === undefined) return only;
  if (rounding === 'up') return above;
  if (rounding === 'down') return below;
  // Halfway, the lower price wins, in favor of the player.
  return above * scale - exact < exact - below * scale ? above : below;
}
