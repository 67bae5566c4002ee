import type { Item, PointPack, PurchaseLimit } from '@pointgate/contract/catalogue.ts';
import type { GameServer } from '@pointgate/contract/characters.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { System } from '@pointgate/contract/names.ts';
import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import type { Quota } from '../offers/quotas/quotas.ts';
import type { Db } from '../platform/db.ts';
import { type LocalText, textIn } from '../platform/local-text.ts';
import type { UnusableRow } from '../platform/readable-rows.ts';
import { type ContentChanges, cacheContent } from '../platform/versioned-cache.ts';
import {
  type GameRow,
  type ItemRow,
  type PackRow,
  type RuleRow,
  selectGames,
  selectGroups,
  selectItems,
  selectPacks,
  selectRules,
  selectServers,
} from './catalogue.queries.ts';
import {
  type Goods,
  type ItemGoods,
  type NoOffer,
  type Offer,
  offerOf,
  type PackGoods,
} from './offers.ts';
import type { PriceRule } from './prices.ts';
import { stateAt } from './server-states.ts';
import { readServerWords, serverKey } from './server-status.ts';

export interface Game {
  gameId: string;
  name: LocalText;
  subtitle: LocalText;
  apiUrl: string;
  /** Whether the game delivers a repeated request only once. */
  givesOnce: boolean;
  theme: SiteTheme;
}

export interface CatalogueServer {
  serverId: string;
  name: LocalText;
  region: LocalText;
  status: 0 | 1;
  /** The known end of its maintenance. */
  maintenanceUntil: Date | null;
  systems: System[];
}

export type OfferedItem = Offer<ItemGoods>;
export type OfferedPack = Offer<PackGoods>;

/** The data of a request on which prices depend. */
interface Asking {
  system: System;
  currency: CurrencyCode;
  /** The country of the prices; null for the default prices. */
  country: string | null;
}

export interface Catalogue {
  game(gameId: string): Promise<Game | undefined>;
  games(): Promise<Game[]>;
  server(key: { gameId: string; serverId: string }): Promise<CatalogueServer | undefined>;
  servers(key: { gameId: string; system: System }): Promise<CatalogueServer[]>;
  /** The items on sale in a game, in list order. */
  itemOffers(
    key: Asking & { gameId: string },
  ): Promise<{ groupId: string; name: LocalText; offers: OfferedItem[] }[]>;
  /** `not_on_system` means that the item is for sale, but on another system. */
  offer(key: Asking & { gameId: string; itemId: string }): Promise<OfferedItem | NoOffer>;
  packOffers(key: Asking): Promise<OfferedPack[]>;
  offerPack(key: Asking & { itemId: string }): Promise<OfferedPack | NoOffer>;
}

/** The whole catalogue cached in memory, so that lists and orders need no query. */
export function openCatalogue(
  db: Db,
  changes?: ContentChanges,
  now: () => number = Date.now,
): Catalogue {
  const { read } = cacheContent(db, { topic: 'catalogue', changes }, () => readAll(db));
  // Apart from the catalogue, because games report often and the catalogue is large.
  const { read: readWords } = cacheContent(db, { topic: 'servers', changes }, () =>
    readServerWords(db),
  );
  const serversOf = async (gameId: string): Promise<CatalogueServer[]> => {
    const servers = (await read()).servers.get(gameId) ?? [];
    const words = await readWords();
    return servers.map(({ id: serverId, name, region, systems, ...server }) => {
      const said = words.get(serverKey({ gameId, serverId })) ?? [];
      const { status, until } = stateAt(said, server.status, now());
      return { serverId, name, region, systems, status, maintenanceUntil: until };
    });
  };

  return {
    game: async (gameId) => (await read()).games.get(gameId),
    games: async () => [...(await read()).games.values()],
    server: async ({ gameId, serverId }) =>
      (await serversOf(gameId)).find((server) => server.serverId === serverId),
    servers: async ({ gameId, system }) =>
      (await serversOf(gameId)).filter(({ systems }) => systems.includes(system)),
    itemOffers: async ({ gameId, ...asking }) => {
      const { groups, items, rules } = await read();
      const asked = { ...asking, now: now() };
      const offers = (items.get(gameId) ?? []).flatMap((item) => made(offerOf(item, rules, asked)));
      return (groups.get(gameId) ?? []).map(({ id, name }) => ({
        groupId: id,
        name,
        offers: offers.filter(({ goods }) => goods.groupId === id),
      }));
    },
    offer: async ({ gameId, itemId, ...asking }) => {
      const { items, rules } = await read();
      const item = items.get(gameId)?.find(({ id }) => id === itemId);
      return offerOf(item, rules, { ...asking, now: now() });
    },
    packOffers: async (asking) => {
      const { packs, rules } = await read();
      return packs.flatMap((pack) => made(offerOf(pack, rules, { ...asking, now: now() })));
    },
    offerPack: async ({ itemId, ...asking }) => {
      const { packs, rules } = await read();
      const pack = packs.find(({ id }) => id === itemId);
      return offerOf(pack, rules, { ...asking, now: now() });
    },
  };
}

export function toServer(server: CatalogueServer, locale: Locale): GameServer {
  return {
    serverId: server.serverId,
    name: textIn(server.name, locale),
    region: textIn(server.region, locale),
    status: server.status,
    maintenanceUntil: server.maintenanceUntil?.toISOString() ?? null,
  };
}

/** The parts of an offer that depend on the player. */
interface OfferTerms {
  limit: PurchaseLimit | null;
  rebatePoints: bigint | null;
}

export function toItem(offer: OfferedItem, terms: OfferTerms, locale: Locale): Item {
  const { goods, price, pricePoints } = offer;
  const { quantity, reason } = offer.gift;
  return {
    ...toTerms(offer, terms, locale),
    unit: textIn(goods.unit, locale),
    gift: reason === null ? null : { quantity, reason },
    price,
    pricePoints,
  };
}

export function toPack(offer: OfferedPack, terms: OfferTerms, locale: Locale): PointPack {
  const { quantity: giftQuantity, reason: giftReason } = offer.gift;
  const given = { giftQuantity, giftReason, giftDays: offer.goods.giftDays };
  return { ...toTerms(offer, terms, locale), ...given, price: offer.price };
}

function toTerms({ goods, quoteId }: Offer, terms: OfferTerms, locale: Locale) {
  const { id, name, quantity, badge, tier, art, saleFrom, saleUntil } = goods;
  return {
    itemId: id,
    name: textIn(name, locale),
    quantity,
    badge,
    tier,
    art,
    quoteId,
    saleFrom: saleFrom?.toISOString() ?? null,
    saleUntil: saleUntil?.toISOString() ?? null,
    ...terms,
  };
}

function made<Kind extends Goods>(offer: Offer<Kind> | NoOffer): Offer<Kind>[] {
  return typeof offer === 'object' ? [offer] : [];
}

async function readTables(db: Db) {
  const [games, servers, groups, items, packs, rules] = await Promise.all([
    selectGames(db),
    selectServers(db),
    selectGroups(db),
    selectItems(db),
    selectPacks(db),
    selectRules(db),
  ]);
  return { games, servers, groups, items, packs, rules };
}

async function readAll(db: Db) {
  const { games, servers, groups, items, packs, rules } = await readTables(db);
  return {
    games: new Map(games.rows.map((row) => [row.id, toGame(row)])),
    servers: Map.groupBy(servers.rows, ({ game_id }) => game_id),
    groups: Map.groupBy(groups.rows, ({ game_id }) => game_id),
    items: Map.groupBy(items.rows.map(toItemGoods), ({ gameId }) => gameId),
    packs: packs.rows.map(toPackGoods),
    rules: rules.rows.map(toRule),
  };
}

export async function unusableInCatalogue(db: Db): Promise<UnusableRow[]> {
  return Object.values(await readTables(db)).flatMap(({ unusable }) => unusable);
}

export function toRule(row: RuleRow): PriceRule {
  return {
    currency: row.currency,
    country: row.country,
    baseCurrency: row.base_currency,
    rateNumerator: row.rate_numerator,
    rateDenominator: row.rate_denominator,
    pointsMinor: row.price_points,
    stepMinor: row.step_minor,
    rounding: row.rounding,
  };
}

function toGame(row: GameRow): Game {
  const { id, name, subtitle, api_url, gives_once, theme } = row;
  return { gameId: id, name, subtitle, apiUrl: api_url, givesOnce: gives_once, theme };
}

function toItemGoods(row: ItemRow): ItemGoods {
  const { game_id: gameId, group_id: groupId, sku, unit } = row;
  return { ...toGoods(row), kind: 'item', giftDays: null, gameId, groupId, sku, unit };
}

function toPackGoods(row: PackRow): PackGoods {
  return { ...toGoods(row), kind: 'points', giftDays: row.gift_days };
}

function toGoods(row: ItemRow | PackRow): Omit<Goods, 'kind' | 'giftDays'> {
  const { id, name, quantity, tier, badge, art, systems, prices } = row;
  return {
    id,
    name,
    quantity,
    tier,
    badge,
    art,
    systems,
    prices,
    giftQuantity: row.gift_quantity,
    saleFrom: row.sale_from,
    saleUntil: row.sale_until,
    quota: toQuota(row),
  };
}

/** A table constraint ensures that all three are set or none. */
function toQuota({ limit_packs, limit_per, limit_period }: ItemRow | PackRow): Quota | null {
  if (limit_packs === null || limit_per === null || limit_period === null) return null;
  return { packsMax: limit_packs, per: limit_per, period: limit_period };
}
