import type { CurrencyCode, PriceUnit } from '@pointgate/contract/money.ts';

/** Amounts by `currency/country`; the country `*` is any other. */
export type Prices = Readonly<Record<string, bigint>>;

/** Makes the price in one currency out of the one in another. */
export interface PriceRule {
  currency: CurrencyCode;
  country: string;
  baseCurrency: CurrencyCode;
  /** Smallest units for smallest units: yen for cents, not yen for dollars. */
  rateNumerator: bigint;
  rateDenominator: bigint;
  /** The prices there are. Above the last of them every multiple of the step is one. */
  pointsMinor: readonly bigint[];
  stepMinor: bigint;
  rounding: 'up' | 'nearest' | 'down';
}

const anywhere = '*';

/**
 * What something costs in a currency: the price of the country, made by hand or by rule, and else
 * that of any country. Nothing where there is neither: then it is not sold there.
 */
export function priceIn<Unit extends PriceUnit>(
  prices: Prices,
  rules: readonly PriceRule[],
  { unit, country }: { unit: Unit; country: string | null },
): { amountMinor: bigint; currency: Unit } | undefined {
  const amountMinor =
    (country === null ? undefined : amountFor(prices, rules, { unit, country })) ??
    amountFor(prices, rules, { unit, country: anywhere });
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
  // A base is always a price made by hand: a rule on top of a rule would round twice.
  const base = rule === undefined ? undefined : prices[`${rule.baseCurrency}/${anywhere}`];
  return rule === undefined || base === undefined ? undefined : pricePoint(base, rule);
}

/** The price point for a base price. It is never nothing: what costs something costs something. */
export function pricePoint(
  baseMinor: bigint,
  rule: Omit<PriceRule, 'currency' | 'country' | 'baseCurrency'>,
): bigint {
  // Everything times the denominator, so that nothing is lost before it is rounded.
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

/** The multiples of the step on both sides, none of them below the last point. */
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
  if (only === undefined) throw new Error('a price without a point on either side');
  if (below === undefined || above === undefined) return only;
  if (rounding === 'up') return above;
  if (rounding === 'down') return below;
  // Halfway it is the lower one: in doubt for the player.
  return above * scale - exact < exact - below * scale ? above : below;
}
