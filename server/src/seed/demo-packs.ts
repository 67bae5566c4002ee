import { locales } from '@pointgate/contract/locales.ts';
import { type DemoGame, type GroupId, SpecialKind, type Texts } from './demo-games.ts';

/** A pack of a demo game, in every language. */
export interface DemoPack {
  id: string;
  groupId: GroupId;
  sku: string;
  name: Texts;
  unit: Texts;
  quantity: number;
  gift: number;
  cents: number;
  /** Null if sold for money only. */
  points: number | null;
  tier: 'tide' | 'dusk' | 'rose' | 'sun';
  badge: 'popular' | 'best_value' | null;
  art: string;
  limit: {
    packs: number;
    per: 'account' | 'role';
    period: 'day' | 'week' | 'month' | 'ever';
  } | null;
  /** The number of days on sale from the day of the seed; null without an end. */
  saleDays: number | null;
}

type Price = Pick<DemoPack, 'cents' | 'points' | 'tier' | 'badge'>;

const amounts: readonly (Price & { quantity: number; gift: number })[] = [
  { quantity: 60, gift: 6, cents: 99, points: 100, tier: 'tide', badge: null },
  { quantity: 300, gift: 30, cents: 499, points: 500, tier: 'tide', badge: null },
  { quantity: 980, gift: 110, cents: 1499, points: 1500, tier: 'dusk', badge: 'popular' },
  { quantity: 1980, gift: 260, cents: 2999, points: 3000, tier: 'dusk', badge: null },
  { quantity: 3280, gift: 600, cents: 4999, points: 5000, tier: 'rose', badge: null },
  { quantity: 6480, gift: 1600, cents: 9999, points: 10_000, tier: 'sun', badge: 'best_value' },
];

/** A special pack without an `amount` is one unit of its own SKU. */
interface SpecialTerms extends Price, Pick<DemoPack, 'groupId' | 'limit' | 'saleDays'> {
  sku?: string;
  amount?: { quantity: number; gift: number };
  art: 'pass' | 'chest';
}

const specials: Readonly<Record<SpecialKind, SpecialTerms>> = {
  weekly: {
    groupId: 'passes',
    sku: 'weekly_pass',
    ...{ cents: 499, points: 500, tier: 'dusk', badge: null, art: 'pass', saleDays: null },
    limit: { packs: 1, per: 'role', period: 'week' },
  },
  monthly: {
    groupId: 'passes',
    sku: 'monthly_card',
    ...{ cents: 999, points: 1000, tier: 'rose', badge: 'popular', art: 'pass', saleDays: null },
    limit: { packs: 1, per: 'role', period: 'month' },
  },
  starter: {
    groupId: 'limited',
    sku: 'starter_pack',
    ...{ cents: 99, points: 100, tier: 'sun', badge: 'best_value', art: 'chest', saleDays: null },
    limit: { packs: 1, per: 'account', period: 'ever' },
  },
  daily: {
    groupId: 'limited',
    amount: { quantity: 150, gift: 75 },
    // A loss leader, not sold for E Points, because those may have been a gift.
    ...{ cents: 99, points: null, tier: 'tide', badge: null, art: 'chest', saleDays: null },
    limit: { packs: 1, per: 'account', period: 'day' },
  },
  weekend: {
    groupId: 'limited',
    sku: 'weekend_chest',
    ...{ cents: 1499, points: 1500, tier: 'dusk', badge: 'popular', art: 'chest', saleDays: 28 },
    limit: { packs: 3, per: 'account', period: 'week' },
  },
  festival: {
    groupId: 'limited',
    amount: { quantity: 2400, gift: 1200 },
    ...{ cents: 2999, points: 3000, tier: 'sun', badge: null, art: 'chest', saleDays: 60 },
    limit: { packs: 2, per: 'account', period: 'ever' },
  },
};

/** All packs of a game, in list order. */
export function packsOf(game: DemoGame): DemoPack[] {
  return [...amountsOf(game), ...specialsOf(game)];
}

/** The six packs of the game's currency. */
export function amountsOf({ itemPrefix, art, currency }: DemoGame): DemoPack[] {
  return amounts.map((amount, index) => ({
    ...amount,
    id: `${itemPrefix}_${amount.quantity}`,
    groupId: 'omni-cards',
    sku: currency.sku,
    name: numbered(amount.quantity, currency.name),
    unit: currency.unit,
    art: `${art}${index + 1}`,
    limit: null,
    saleDays: null,
  }));
}

function specialsOf(game: DemoGame): DemoPack[] {
  const { currency } = game;
  return SpecialKind.options.map((kind) => {
    const { amount, art, sku = currency.sku, ...terms } = specials[kind];
    const name = game.specials[kind];
    return {
      ...terms,
      ...(amount ?? { quantity: 1, gift: 0 }),
      id: `${game.id}_${kind}`,
      sku,
      name,
      // Shown after the number on the card: `150 Shards`, but `1 Weekly Pass`.
      unit: amount === undefined ? name : currency.unit,
      art: `${game.id}-${art}`,
    };
  });
}

/** The name with the number in the format of each language. */
export function numbered(quantity: number, name: Texts): Texts {
  const texts = { ...name };
  for (const locale of locales) {
    texts[locale] = `${quantity.toLocaleString(locale)} ${name[locale]}`;
  }
  return texts;
}
