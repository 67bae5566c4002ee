import type { Item, PointPack } from '@pointgate/contract/catalogue.ts';
import type { GameServer } from '@pointgate/contract/characters.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import {
  type CurrencyCode,
  type Money,
  type Price,
  type PriceUnit,
  pointsUnit,
} from '@pointgate/contract/money.ts';
import type { System } from '@pointgate/contract/names.ts';
import { cachedFor } from '../platform/cache.ts';
import type { Db } from '../platform/db.ts';
import { type LocalText, textIn } from '../platform/local-text.ts';
import {
  type ItemRow,
  type PackRow,
  selectGame,
  selectGroups,
  selectItems,
  selectPacks,
  selectServers,
} from './catalogue.queries.ts';

export interface Game {
  gameId: string;
  name: LocalText;
  subtitle: LocalText;
  apiUrl: string;
  /** Whether it gives once what it is told twice. */
  givesOnce: boolean;
}

export interface CatalogueServer {
  serverId: string;
  name: LocalText;
  region: LocalText;
  status: 0 | 1;
  systems: System[];
}

/** An item as it is sold right now in one currency. What an order keeps is a copy of this. */
export interface OfferedItem {
  itemId: string;
  sku: string;
  name: LocalText;
  unit: LocalText;
  quantity: bigint;
  giftQuantity: bigint;
  art: string;
  price: Price;
}

/** A pack of points as it is sold right now in one currency. */
type OfferedPack = Omit<OfferedItem, 'sku' | 'unit' | 'price'> & {
  giftDays: number | null;
  price: Money;
};

type NoOffer = 'not_for_sale' | 'not_on_system';

export interface Catalogue {
  game(gameId: string): Promise<Game | undefined>;
  server(key: { gameId: string; serverId: string }): Promise<CatalogueServer | undefined>;
  servers(key: { gameId: string; system: System }): Promise<CatalogueServer[]>;
  itemGroups(
    key: { gameId: string; system: System; currency: CurrencyCode },
    locale: Locale,
  ): Promise<{ groupId: string; name: string; items: Item[] }[]>;
  /** `not_on_system` is for sale, but not to this phone. */
  offer(key: {
    gameId: string;
    itemId: string;
    system: System;
    currency: PriceUnit;
  }): Promise<OfferedItem | NoOffer>;
  pointPacks(key: { system: System; currency: CurrencyCode }, locale: Locale): Promise<PointPack[]>;
  offerPack(key: {
    itemId: string;
    system: System;
    currency: CurrencyCode;
  }): Promise<OfferedPack | NoOffer>;
}

// An operator's change is seen by every process within two seconds.
const staleAfterMs = 2_000;

export function openCatalogue(db: Db): Catalogue {
  const read = cachedFor(staleAfterMs, async (gameId: string) => {
    const [game, servers, groups, items] = await Promise.all([
      selectGame(db, gameId),
      selectServers(db, gameId),
      selectGroups(db, gameId),
      selectItems(db, gameId),
    ]);
    return { game, servers, groups, items };
  });
  const readPacks = cachedFor(staleAfterMs, (_all: string) => selectPacks(db));
  const serversOf = async (gameId: string): Promise<CatalogueServer[]> =>
    (await read(gameId)).servers.map(({ id, ...rest }) => ({ serverId: id, ...rest }));

  return {
    game: async (gameId) => {
      const { game } = await read(gameId);
      if (game === undefined) return undefined;
      return {
        gameId,
        name: game.name,
        subtitle: game.subtitle,
        apiUrl: game.api_url,
        givesOnce: game.gives_once,
      };
    },
    server: async ({ gameId, serverId }) =>
      (await serversOf(gameId)).find((server) => server.serverId === serverId),
    servers: async ({ gameId, system }) =>
      (await serversOf(gameId)).filter(({ systems }) => systems.includes(system)),
    itemGroups: async ({ gameId, system, currency }, locale) => {
      const { groups, items } = await read(gameId);
      return groups.map((group) => ({
        groupId: group.id,
        name: textIn(group.name, locale),
        items: items
          .filter((item) => item.group_id === group.id && item.systems.includes(system))
          .flatMap((item) => toItem(item, currency, locale)),
      }));
    },
    offer: async ({ gameId, itemId, system, currency }) => {
      const item = (await read(gameId)).items.find(({ id }) => id === itemId);
      const price = item === undefined ? undefined : priceIn(item, currency);
      if (item === undefined || price === undefined) return 'not_for_sale';
      if (!item.systems.includes(system)) return 'not_on_system';
      return {
        itemId,
        sku: item.sku,
        name: item.name,
        unit: item.unit,
        quantity: item.quantity,
        giftQuantity: item.gift_quantity,
        art: item.art,
        price,
      };
    },
    pointPacks: async ({ system, currency }, locale) =>
      (await readPacks('all'))
        .filter((pack) => pack.systems.includes(system))
        .flatMap((pack) => toPack(pack, currency, locale)),
    offerPack: async ({ itemId, system, currency }) => {
      const pack = (await readPacks('all')).find(({ id }) => id === itemId);
      const price = pack === undefined ? undefined : priceIn(pack, currency);
      if (pack === undefined || price === undefined) return 'not_for_sale';
      if (!pack.systems.includes(system)) return 'not_on_system';
      return {
        itemId,
        name: pack.name,
        quantity: pack.quantity,
        giftQuantity: pack.gift_quantity,
        giftDays: pack.gift_days,
        art: pack.art,
        price,
      };
    },
  };
}

export function toServer(server: CatalogueServer, locale: Locale): GameServer {
  return {
    serverId: server.serverId,
    name: textIn(server.name, locale),
    region: textIn(server.region, locale),
    status: server.status,
  };
}

/** None where the item has no price in this currency: then it is not sold here. */
function toItem(item: ItemRow, currency: CurrencyCode, locale: Locale): Item[] {
  const price = priceIn(item, currency);
  if (price === undefined) return [];
  return [
    {
      itemId: item.id,
      name: textIn(item.name, locale),
      quantity: item.quantity,
      unit: textIn(item.unit, locale),
      gift: item.gift_quantity > 0n ? { quantity: item.gift_quantity, reason: 'bonus' } : null,
      price,
      pricePoints: priceIn(item, pointsUnit)?.amountMinor ?? null,
      badge: item.badge,
      tier: item.tier,
      art: item.art,
    },
  ];
}

function toPack(pack: PackRow, currency: CurrencyCode, locale: Locale): PointPack[] {
  const price = priceIn(pack, currency);
  if (price === undefined) return [];
  return [
    {
      itemId: pack.id,
      name: textIn(pack.name, locale),
      quantity: pack.quantity,
      giftQuantity: pack.gift_quantity,
      giftDays: pack.gift_days,
      price,
      badge: pack.badge,
      tier: pack.tier,
      art: pack.art,
    },
  ];
}

function priceIn<Unit extends PriceUnit>(
  { prices }: { prices: Record<string, string> },
  currency: Unit,
): { amountMinor: bigint; currency: Unit } | undefined {
  const amount = prices[currency];
  return amount === undefined ? undefined : { amountMinor: BigInt(amount), currency };
}
