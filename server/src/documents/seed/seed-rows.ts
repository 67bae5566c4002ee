import type { Texts, Theme } from '@pointgate/contract/documents/parts.ts';
import type { CurrencyCode, PriceUnit } from '@pointgate/contract/money.ts';
import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import type { System } from '@pointgate/contract/names.ts';
import type { z } from 'zod';
import { amountOf, ruleTerms } from '../shop-amounts.ts';
import type { GameOfShop, ShopFolder } from '../shop-documents.ts';

// What the statements of the seed take.

interface Priced {
  prices: { currency: PriceUnit; amountMinor: bigint }[];
}

interface Goods extends Priced {
  id: string;
  name: Texts;
  quantity: number;
  gift: number;
  tier: string;
  badge: string | null;
  art: string;
  saleFrom: Date | null;
  saleUntil: Date | null;
}

export interface Item extends Goods {
  group: string;
  sku: string;
  unit: Texts;
  limit: { packs: number; per: string; period: string } | null;
}

export interface PointPack extends Goods {
  giftDays: number | null;
}

export interface Game {
  id: string;
  name: Texts;
  subtitle: Texts;
  theme: z.output<typeof Theme>;
  servers: { id: string; name: Texts; region: Texts; status: 0 | 1; systems: System[] }[];
  groups: { id: string; name: Texts }[];
  items: Item[];
}

export interface PriceRule {
  currency: CurrencyCode;
  baseCurrency: CurrencyCode;
  rateNumerator: bigint;
  rateDenominator: bigint;
  pointsMinor: bigint[];
  stepMinor: bigint;
}

export function gameRows({ id, value, servers, groups, items, prices }: GameOfShop): Game {
  return {
    id,
    name: value.name,
    subtitle: value.subtitle,
    theme: value.theme,
    servers: servers.map(({ value: server }) => ({
      ...server,
      status: serverStatus[server.status],
    })),
    groups,
    items: items.map(({ value: item }) => ({
      ...item,
      limit: limitOf(item.limit),
      prices: pricesOf(item.id, prices),
    })),
  };
}

export function packRows({ packs, packPrices }: ShopFolder): PointPack[] {
  return packs.map(({ value }) => ({ ...value, prices: pricesOf(value.id, packPrices) }));
}

export function ruleRows({ priceRules }: ShopFolder): PriceRule[] {
  return priceRules.map(({ value }) => ruleTerms(value));
}

function pricesOf(id: string, prices: GameOfShop['prices']): Priced['prices'] {
  return prices
    .filter(({ value }) => value.itemId === id)
    .map(({ value }) => ({ currency: value.currency, amountMinor: amountOf(value) }));
}

/** `1 role week` */
function limitOf(text: string | null): Item['limit'] {
  const [packs = '', per = '', period = ''] = text?.split(' ') ?? [];
  return text === null ? null : { packs: Number(packs), per, period };
}
