import { flatItems, gameList, itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode, Money } from '@pointgate/contract/money.ts';
import type { FastifyInstance } from 'fastify';
import { showLimits } from '../offers/quotas/quotas.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { playerRoute } from '../platform/http.ts';
import { textIn } from '../platform/local-text.ts';
import { isSoldAt, knownSite, type Site, type Sites } from '../publisher/sites/sites.ts';
import { type Catalogue, type OfferedItem, type OfferedPack, toItem, toPack } from './catalogue.ts';
import { listGames } from './game-list.ts';
import {
  type ItemGoods,
  type Offer,
  type OfferedGift,
  type PackGoods,
  withGift,
} from './offers.ts';

interface CatalogueRoutesContext {
  db: Db;
  sites: Sites;
  catalogue: Catalogue;
  /** By item: the gift that the player would get now. */
  giftsOf(
    asker: {
      accountId: string;
      siteId: string;
      kind: 'item' | 'points';
      country: string | null;
      language: string;
    },
    items: readonly {
      itemId: string;
      quantity: bigint;
      bonusQuantity: bigint;
      packCount: number;
    }[],
  ): Promise<ReadonlyMap<string, OfferedGift>>;
  /**
   * By item: the rebate points that buying one now would earn; items that earn none are left out.
   */
  rebatesOf(
    asker: {
      accountId: string;
      siteId: string;
      kind: 'item' | 'points';
      gameId: string | null;
    },
    items: readonly { itemId: string; price: Money }[],
  ): Promise<ReadonlyMap<string, bigint>>;
  /** The role that the player selected last. */
  chosenRoleOf(key: {
    accountId: string;
    siteId: string;
    gameId: string;
  }): Promise<CountedRole | null>;
}

interface CountedRole {
  serverId: string;
  roleId: string;
}

export function registerCatalogueRoutes(
  app: FastifyInstance,
  { db, sites, catalogue, giftsOf, rebatesOf, chosenRoleOf }: CatalogueRoutesContext,
): void {
  /** Throws NotFound for a game that the site does not sell, whether it exists or not. */
  const siteOfGame = async ({ siteId, gameId }: { siteId: string; gameId: string }) => {
    const site = await knownSite(sites, siteId);
    if (!isSoldAt(site, gameId)) throw new AppError('NotFound');
    return site;
  };

  /** Offers with the gift that an order of one pack would get now. */
  const givenTo = async <Kind extends ItemGoods | PackGoods>(
    offers: readonly Offer<Kind>[],
    caller: { accountId: string; site: Site; locale: Locale },
  ): Promise<Offer<Kind>[]> => {
    const [first] = offers;
    if (first === undefined) return [];
    const { accountId, site, locale: language } = caller;
    const { siteId, priceCountry: country } = site;
    const gifts = await giftsOf(
      { accountId, siteId, kind: first.goods.kind, country, language },
      offers.map(({ goods: { id, quantity, giftQuantity } }) => {
        return { itemId: id, quantity, bonusQuantity: giftQuantity, packCount: 1 };
      }),
    );
    return offers.map((offer) => withGift(offer, gifts.get(offer.goods.id) ?? offer.gift));
  };

  /** The remaining purchase limit and the rebate points of each offer. */
  const termsOf = async (
    offers: readonly (OfferedItem | OfferedPack)[],
    caller: {
      accountId: string;
      site: Site;
      kind: 'item' | 'points';
      gameId: string | null;
      role: CountedRole | null;
    },
  ) => {
    const { accountId, kind, gameId } = caller;
    const { siteId } = caller.site;
    const priced = offers.map(({ goods, price }) => ({ itemId: goods.id, price }));
    const [limits, rebates] = await Promise.all([
      limitsOf(offers, caller),
      rebatesOf({ accountId, siteId, kind, gameId }, priced),
    ]);
    return ({ goodsKey, goods }: OfferedItem | OfferedPack) => ({
      limit: limits.get(goodsKey) ?? null,
      rebatePoints: rebates.get(goods.id) ?? null,
    });
  };

  /** The purchase limits by goods key. */
  const limitsOf = async (
    offers: readonly (OfferedItem | OfferedPack)[],
    caller: { accountId: string; site: Site; role: CountedRole | null },
  ) => {
    const limited = offers.flatMap(({ goodsKey, goods: { quota } }) =>
      quota === null ? [] : [{ goods: goodsKey, quota }],
    );
    const { accountId, site, role } = caller;
    const { timeZone } = site;
    return await showLimits(db, accountId, limited, { role, at: new Date(), timeZone });
  };

  playerRoute(app, gameList, async ({ player, locale }) => ({
    games: await listGames(catalogue, await knownSite(sites, player.siteId), locale),
  }));

  playerRoute(app, itemGroups, async ({ body, player, locale }) => {
    const { gameId, system } = body;
    const site = await siteOfGame({ ...player, gameId });
    const groups = await catalogue.itemOffers({ gameId, system, ...pricesFor(site, body) });
    const listed = groups.flatMap((group) => group.offers);
    const isByRole = listed.some(({ goods }) => goods.quota?.per === 'role');
    const [offers, countedFor] = await Promise.all([
      givenTo(listed, { accountId: player.accountId, site, locale }),
      isByRole ? (body.role ?? chosenRoleOf({ ...player, gameId })) : null,
    ]);
    const { accountId } = player;
    const caller = { accountId, site, kind: 'item', gameId, role: countedFor } as const; // as: keeps the literal types
    const terms = await termsOf(offers, caller);
    return {
      countedFor,
      groups: groups.map((group) => ({
        groupId: group.groupId,
        name: textIn(group.name, locale),
        items: offers
          .filter(({ goods }) => goods.groupId === group.groupId)
          .map((offer) => toItem(offer, terms(offer), locale)),
      })),
    };
  });

  playerRoute(app, flatItems, async ({ body, player, locale }) => {
    const site = await siteOfGame({ ...player, ...body });
    const groups = await catalogue.itemOffers({ ...body, ...pricesFor(site, {}) });
    const offers = await givenTo(
      groups.flatMap((group) => group.offers),
      { accountId: player.accountId, site, locale },
    );
    return {
      items: offers.map(({ goods, price, pricePoints, gift }) => ({
        itemId: goods.id,
        name: textIn(goods.name, locale),
        quantity: goods.quantity,
        giftQuantity: gift.quantity,
        giftReason: gift.reason,
        price,
        pricePoints,
        art: goods.art,
      })),
    };
  });

  playerRoute(app, pointPacks, async ({ body, player, locale }) => {
    const site = await knownSite(sites, player.siteId);
    const packs = await catalogue.packOffers({ system: body.system, ...pricesFor(site, body) });
    const { accountId } = player;
    const offers = await givenTo(packs, { accountId, site, locale });
    const caller = { accountId, site, kind: 'points', gameId: null, role: null } as const; // as: keeps the literal types
    const terms = await termsOf(offers, caller);
    return { packs: offers.map((offer) => toPack(offer, terms(offer), locale)) };
  });
}

/** Throws InvalidParams for a currency that the site does not take. */
function pricesFor(
  site: Site,
  { currency = site.currency }: { currency?: CurrencyCode | undefined },
) {
  if (!site.currencies.includes(currency)) throw new AppError('InvalidParams');
  return { currency, country: site.priceCountry };
}
