import { Theme } from '@pointgate/contract/documents/parts.ts';
import { fallbackLocale, locales } from '@pointgate/contract/locales.ts';
import { Currency, type PriceUnit, pointsUnit } from '@pointgate/contract/money.ts';
import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import { Slug, System } from '@pointgate/contract/names.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { readDecimalAmount, readDecimals } from '../platform/decimal-amount.ts';
import { type ShopFiles, WrongDocument } from './shop-files.ts';

const Texts = z
  .partialRecord(z.enum(locales), z.string().trim().min(1))
  .refine((text) => text[fallbackLocale] !== undefined, `has no ${fallbackLocale}`);
type Texts = z.output<typeof Texts>;

const Names = z.array(Slug).min(1);
const Shop = z.strictObject({ games: Names, sites: Names });

/** The ids of games and sites in display order. */
export function readShop(files: ShopFiles): z.output<typeof Shop> {
  const shop = files.json(Shop, 'shop.json');
  for (const [folder, ids] of Object.entries(shop)) {
    for (const name of files.list(folder)) {
      if (!ids.includes(name)) throw new WrongDocument(`${folder}/${name}: is not in shop.json`);
    }
  }
  return shop;
}

const GameDocument = z.strictObject({ name: Texts, subtitle: Texts, theme: Theme });

const ServerLine = z.strictObject({
  id: Slug,
  region: Slug,
  status: z.enum(['open', 'maintenance']).transform((status) => serverStatus[status]),
  systems: z
    .string()
    .transform((text) => text.split(' '))
    .pipe(z.array(System)),
  name: Texts,
});

const Count = z
  .string()
  .regex(/^\d{1,9}$/, 'is no whole number')
  .transform(Number);
const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const Card = {
  id: Slug,
  quantity: Count,
  gift: Count,
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  badge: z.enum(['popular', 'best_value']).nullable(),
  art: Slug,
  name: Texts,
};

const Limit = z
  .string()
  .transform((text) => {
    const [packs, per, period, ...more] = text.split(' ');
    return more.length === 0 ? { packs, per, period } : text;
  })
  .pipe(
    z.strictObject(
      {
        packs: Count,
        per: z.enum(['account', 'role']),
        period: z.enum(['day', 'week', 'month', 'ever']),
      },
      'is no limit such as "1 role week"',
    ),
  );

const ItemLine = z.strictObject({
  ...Card,
  group: Slug,
  sku: Slug,
  unit: Texts,
  saleFrom: Moment.nullable(),
  saleUntil: Moment.nullable(),
  limit: Limit.nullable(),
});

const PackLine = z.strictObject({ ...Card, giftDays: Count.nullable() });

const PriceLine = z
  .strictObject({
    id: Slug,
    currency: z.enum([...Object.values(Currency.def.entries), pointsUnit]),
    amount: z.string(),
  })
  .transform(({ id, currency, amount }, context) => {
    const amountMinor = readPrice(amount, currency);
    if (amountMinor !== undefined) return { id, currency, amountMinor };
    context.addIssue({ code: 'custom', path: ['amount'], message: `is no amount in ${currency}` });
    return z.NEVER;
  });

function readPrice(amount: string, currency: PriceUnit): bigint | undefined {
  return currency === pointsUnit ? readDecimals(amount, 0) : readDecimalAmount(amount, currency);
}

interface Priced {
  prices: { currency: PriceUnit; amountMinor: bigint }[];
}

export interface Item extends z.output<typeof ItemLine>, Priced {}
export interface PointPack extends z.output<typeof PackLine>, Priced {}
interface Server extends Omit<z.output<typeof ServerLine>, 'region'> {
  region: Texts;
}

export interface Game extends z.output<typeof GameDocument> {
  id: string;
  servers: Server[];
  groups: { id: string; name: Texts }[];
  items: Item[];
}

export function readGame(files: ShopFiles, id: string): Game {
  const folder = `games/${id}`;
  const regions = files.json(z.record(Slug, Texts), 'regions.json');
  const groups = files.json(z.record(Slug, Texts), 'groups.json');
  const named = (texts: Record<string, Texts>, key: string, place: string): Texts => {
    const text = texts[key];
    if (text === undefined) throw new WrongDocument(`${place}: ${key} has no name`);
    return text;
  };
  const items = withPrices(files, files.csv(ItemLine, `${folder}/items.csv`), folder);
  return {
    id,
    ...files.json(GameDocument, `${folder}/game.json`),
    servers: files.csv(ServerLine, `${folder}/servers.csv`).map((server) => ({
      ...server,
      region: named(regions, server.region, `${folder}/servers.csv region`),
    })),
    groups: [...new Set(items.map(({ group }) => group))].map((group) => ({
      id: group,
      name: named(groups, group, `${folder}/items.csv group`),
    })),
    items,
  };
}

export function readPointPacks(files: ShopFiles): PointPack[] {
  return withPrices(files, files.csv(PackLine, 'points/packs.csv'), 'points');
}

function withPrices<Line extends { id: string }>(
  files: ShopFiles,
  lines: readonly Line[],
  folder: string,
): (Line & Priced)[] {
  const prices = files.csv(PriceLine, `${folder}/prices.csv`);
  const stranger = prices.find(({ id }) => !lines.some((line) => line.id === id));
  if (stranger !== undefined) {
    throw new WrongDocument(`${folder}/prices.csv id: there is no ${stranger.id}`);
  }
  return lines.map((line) => ({
    ...line,
    prices: prices
      .filter(({ id }) => id === line.id)
      .map(({ currency, amountMinor }) => ({ currency, amountMinor })),
  }));
}

/**
 * The rate leads from the smallest unit of the base currency to that of the other. Above the last
 * customary price every multiple of the step is allowed.
 */
const PriceRule = z
  .strictObject({
    currency: z.enum(Currency.def.entries),
    baseCurrency: z.enum(Currency.def.entries),
    rate: z.strictObject({ numerator: z.int().min(1), denominator: z.int().min(1) }),
    prices: z.array(z.string()).min(1),
    step: z.string(),
  })
  .transform(({ prices, step, ...rule }, context) => {
    const minor = (amount: string, path: (string | number)[]) => {
      const found = readDecimalAmount(amount, rule.currency);
      if (found === undefined) {
        const message = `is no amount in ${rule.currency}`;
        context.addIssue({ code: 'custom', path, message });
      }
      return found ?? 0n;
    };
    return {
      ...rule,
      pricesMinor: prices.map((price, index) => minor(price, ['prices', index])),
      stepMinor: minor(step, ['step']),
    };
  });
export type PriceRule = z.output<typeof PriceRule>;

export function readPriceRules(files: ShopFiles): PriceRule[] {
  return files.json(z.array(PriceRule), 'price-rules.json');
}

const SiteDocument = z
  .strictObject({
    title: z.string().trim().min(1),
    brandId: Slug,
    /** Null for the site at the address of the portal itself. */
    subdomain: z.nullable(Slug),
    /** Either the game of a site with one, or the games of a platform in display order. */
    gameId: z.optional(Slug),
    gameIds: z.optional(Names),
    theme: Theme,
    currency: z.enum(Currency.def.entries),
    otherCurrencies: z.array(z.enum(Currency.def.entries)),
    methods: z.array(PaymentMethod).min(1),
  })
  .refine(({ gameId, gameIds }) => (gameId === undefined) !== (gameIds === undefined), {
    path: ['gameId'],
    message: 'a site has either gameId or gameIds',
  });

export interface SiteOfShop extends Omit<z.output<typeof SiteDocument>, 'gameId' | 'gameIds'> {
  id: string;
  domainType: 0 | 1;
  gameId: string | null;
  /** Only those of a platform. */
  gameIds: readonly string[];
}

export function readSites(files: ShopFiles): SiteOfShop[] {
  const { games, sites } = readShop(files);
  return sites.map((id) => {
    const path = `sites/${id}/site.json`;
    const { gameId = null, gameIds = [], ...site } = files.json(SiteDocument, path);
    const stranger = [...(gameId === null ? [] : [gameId]), ...gameIds].find(
      (sold) => !games.includes(sold),
    );
    if (stranger !== undefined) throw new WrongDocument(`${path}: there is no game ${stranger}`);
    return { ...site, id, domainType: gameId === null ? 1 : 0, gameId, gameIds };
  });
}
