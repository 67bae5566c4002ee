import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { FastifyInstance } from 'fastify';
import { playerRoute } from '../platform/http.ts';
import type { Catalogue } from './catalogue.ts';

export function registerCatalogueRoutes(
  app: FastifyInstance,
  catalogue: Catalogue,
  currencyOf: (siteId: string) => Promise<CurrencyCode>,
): void {
  playerRoute(app, itemGroups, async ({ body, player, locale }) => {
    const currency = await currencyOf(player.siteId);
    return { groups: await catalogue.itemGroups({ ...body, currency }, locale) };
  });
  playerRoute(app, pointPacks, async ({ body, player, locale }) => {
    const currency = await currencyOf(player.siteId);
    return { packs: await catalogue.pointPacks({ ...body, currency }, locale) };
  });
}
