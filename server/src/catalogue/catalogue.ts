import type { Item } from '@pointgate/contract/catalogue.ts';
import type { GameServer } from '@pointgate/contract/characters.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode, Money } from '@pointgate/contract/money.ts';
import type { System } from '@pointgate/contract/names.ts';
import { cachedFor } from '../platform/cache.ts';
import type { Db } from '../platform/db.ts';
import { type LocalText, textIn } from '../platform/local-text.ts';
import {
  type ItemRow,
  selectGame,
  selectGroups,
  selectItems,
  selectServers,
} from './catalogue.queries.ts';

export interface Game {
  gameId: string;
  name: LocalText;
  subtitle: LocalText;
  apiUrl: string;
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
  price: Money;
}

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
    currency: CurrencyCode;
  }): Promise<OfferedItem | 'not_for_sale' | 'not_on_system'>;
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
  const serversOf = async (gameId: string): Promise<CatalogueServer[]> =>
    (await read(gameId)).servers.map(({ id, ...rest }) => ({ serverId: id, ...rest }));

  return {
    game: async (gameId) => {
      const { game } = await read(gameId);
      if (game === undefined) return undefined;
      return { gameId, name: game.name, subtitle: game.subtitle, apiUrl: game.api_url };
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
      badge: item.badge,
      tier: item.tier,
      art: item.art,
    },
  ];
}

function priceIn(item: ItemRow, currency: CurrencyCode): Money | undefined {
  const amount = item.prices[currency];
  return amount === undefined ? undefined : { amountMinor: BigInt(amount), currency };
}
