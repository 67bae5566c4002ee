import { pointsRebateInfo, rebateInfo } from '@pointgate/contract/promotions.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { playerRoute } from '../../platform/http.ts';
import { isSoldAt, knownSite, type Sites } from '../../publisher/sites/sites.ts';
import { rebateCampaigns } from './promotions.ts';

/** The campaign calls of players, each limited to the player's own progress. */
export function registerPromotionRoutes(
  app: FastifyInstance,
  { db, sites }: { db: Db; sites: Sites },
): void {
  playerRoute(app, rebateInfo, async ({ body: { gameId }, player, locale }) => {
    const site = await knownSite(sites, player.siteId);
    if (!isSoldAt(site, gameId)) throw new AppError('ItemNotForSale');
    return { campaigns: await rebateCampaigns(db, { ...player, kind: 'item', gameId }, locale) };
  });

  playerRoute(app, pointsRebateInfo, async ({ player, locale }) => ({
    campaigns: await rebateCampaigns(db, { ...player, kind: 'points', gameId: null }, locale),
  }));
}
