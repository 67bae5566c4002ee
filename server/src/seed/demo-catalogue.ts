import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { demoGame, demoGames } from './demo-games.ts';

/** A site of the demo's fictional publisher. */
export interface DemoSite {
  id: string;
  domainType: 0 | 1;
  title: string;
  theme: SiteTheme;
  /** The currency shown by default. */
  currency: CurrencyCode;
  gameId: string | null;
  /** The games of a platform, in display order. */
  gameIds: readonly string[];
}

const platform: DemoSite = {
  id: 'omni',
  domainType: 1,
  title: 'Omni',
  theme: { accent: '#a5adff', accentStrong: '#8a93ff', hero: 'omni-hero', logo: 'omni-icon' },
  currency: 'USD',
  gameId: null,
  gameIds: demoGames.map(({ id }) => id),
};

const withOwnSite = [demoGame.id, 'lantern-court', 'neon-meridian'];

export const demoSites: readonly DemoSite[] = [
  ...demoGames
    .filter(({ id }) => withOwnSite.includes(id))
    .map(({ id, name, theme }): DemoSite => {
      // The site of Lantern Court is a Chinese one.
      const currency = id === 'lantern-court' ? 'CNY' : 'USD';
      return { id, domainType: 0, title: name['en-US'], theme, currency, gameId: id, gameIds: [] };
    }),
  platform,
];

/**
 * All payment methods, the most familiar ones of the site first. Methods without a provider
 * contract are not offered.
 */
export function methodsOf({ currency }: Pick<DemoSite, 'currency'>): PaymentMethod[] {
  const first: PaymentMethod[] = currency === 'CNY' ? ['wechatpay', 'alipay'] : [];
  return [...new Set([...first, ...PaymentMethod.options])];
}

/** All prices are derived from the first currency. */
export const demoCurrencies: readonly CurrencyCode[] = [
  'USD',
  'EUR',
  'JPY',
  'KRW',
  'TWD',
  'HKD',
  'THB',
  'VND',
  'CNY',
];

/**
 * Rates from cents to the minor unit of each currency, and customary prices. Above the last of them
 * every multiple of the step is allowed.
 */
export const demoPriceRules: readonly {
  currency: CurrencyCode;
  rate: readonly [numerator: number, denominator: number];
  points: readonly number[];
  step: number;
}[] = [
  {
    currency: 'EUR',
    rate: [95, 100],
    points: [99, 299, 499, 999, 1499, 1999, 2999, 4999, 9999, 19_999],
    step: 100,
  },
  {
    currency: 'JPY',
    rate: [3, 2],
    points: [160, 480, 800, 1500, 2400, 3000, 4800, 8000, 15_800, 31_800],
    step: 100,
  },
  {
    currency: 'KRW',
    rate: [27, 2],
    points: [1400, 4200, 7000, 14_000, 21_000, 28_000, 42_000, 70_000, 140_000, 280_000],
    step: 1000,
  },
  {
    currency: 'TWD',
    rate: [32, 1],
    points: [3300, 9900, 17_000, 33_000, 49_000, 66_000, 99_000, 169_000, 329_000, 659_000],
    step: 1000,
  },
  {
    currency: 'HKD',
    rate: [78, 10],
    points: [800, 2300, 3800, 7800, 11_800, 15_800, 23_800, 39_800, 79_800, 159_800],
    step: 100,
  },
  {
    currency: 'THB',
    rate: [35, 1],
    points: [3500, 10_500, 17_900, 34_900, 52_900, 69_900, 104_900, 174_900, 349_900, 699_900],
    step: 100,
  },
  {
    currency: 'VND',
    rate: [250, 1],
    points: [
      ...[25_000, 75_000, 129_000, 249_000, 369_000, 499_000, 749_000],
      ...[1_249_000, 2_499_000, 4_999_000],
    ],
    step: 1000,
  },
  {
    currency: 'CNY',
    rate: [64, 10],
    points: [600, 1800, 3000, 6800, 9800, 12_800, 19_800, 32_800, 64_800, 129_800],
    step: 1000,
  },
];

export interface DemoPointPack {
  quantity: number;
  gift: number;
  giftDays: number | null;
  cents: number;
  tier: 'tide' | 'dusk' | 'rose' | 'sun';
  badge: 'popular' | 'best_value' | null;
  art: string;
}

/** A point is worth a cent; larger packs come with more gift points. */
export const demoPointPacks: readonly DemoPointPack[] = [
  { quantity: 100, gift: 0, giftDays: null, cents: 99, tier: 'tide', badge: null, art: 'coin1' },
  { quantity: 300, gift: 10, giftDays: 90, cents: 299, tier: 'tide', badge: null, art: 'coin2' },
  { quantity: 500, gift: 25, giftDays: 90, cents: 499, tier: 'tide', badge: null, art: 'coin3' },
  {
    quantity: 1000,
    gift: 80,
    giftDays: 90,
    cents: 999,
    tier: 'dusk',
    badge: 'popular',
    art: 'coin4',
  },
  { quantity: 2000, gift: 200, giftDays: 90, cents: 1999, tier: 'dusk', badge: null, art: 'coin5' },
  {
    quantity: 5000,
    gift: 650,
    giftDays: 180,
    cents: 4999,
    tier: 'rose',
    badge: null,
    art: 'coin6',
  },
  {
    quantity: 10000,
    gift: 1500,
    giftDays: 180,
    cents: 9999,
    tier: 'sun',
    badge: 'best_value',
    art: 'coin7',
  },
  {
    quantity: 20000,
    gift: 3500,
    giftDays: 180,
    cents: 19_999,
    tier: 'sun',
    badge: null,
    art: 'coin8',
  },
];
