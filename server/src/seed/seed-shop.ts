import { PromotionList } from '@pointgate/contract/documents/promotions.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { z } from 'zod';
import { soldPriceComplaints } from '../catalogue/price-list.ts';
import { writeCampaign } from '../offers/promotions/promotion-list.ts';
import type { Tx } from '../platform/db.ts';
import { sitesIn } from '../publisher/sites/sites.ts';
import {
  upsertGame,
  upsertItems,
  upsertPlayUrls,
  upsertPointPacks,
  upsertPriceRule,
  upsertSite,
  upsertSupport,
} from './seed.queries.ts';
import {
  readGame,
  readPointPacks,
  readPriceRules,
  readShop,
  readSites,
  type SiteOfShop,
} from './shop-documents.ts';
import type { ShopFiles } from './shop-files.ts';

interface Surroundings {
  /** The URL of the site without a subdomain; the others are subdomains. */
  portalUrl: string;
  /** One program serves all games. */
  gameUrl: string;
  wechatAppId?: string | undefined;
  crmUrl?: string | undefined;
  /** The page that starts its games. */
  playUrl?: string | undefined;
}

/** Creates the games, packs and sites of a shop. Idempotent. */
export async function seedShop(
  tx: Tx,
  files: ShopFiles,
  surroundings: Surroundings,
): Promise<void> {
  const { gameUrl } = surroundings;
  for (const gameId of readShop(files).games) {
    const game = readGame(files, gameId);
    await upsertGame(tx, { apiUrl: gameUrl, game });
    await upsertItems(tx, game);
  }
  await upsertPointPacks(tx, readPointPacks(files));
  for (const rule of readPriceRules(files)) await upsertPriceRule(tx, rule);
  for (const site of readSites(files)) {
    await seedSite(tx, site, surroundings);
    await seedPromotions(tx, files, site.id);
  }
  const complaints = await soldPriceComplaints(tx, await sitesIn(tx));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

async function seedSite(
  tx: Tx,
  site: SiteOfShop,
  { portalUrl, wechatAppId, crmUrl, playUrl }: Surroundings,
): Promise<void> {
  const url = addressOf(site, portalUrl);
  const { hostname } = new URL(url);
  const hosts =
    site.subdomain === null ? ['localhost', '127.0.0.1'] : [`${site.subdomain}.localhost`];
  await upsertSite(tx, {
    ...site,
    portalUrl: url,
    locales,
    hosts: [...hosts, hostname],
    wechatAppId,
  });
  if (playUrl !== undefined && site.gameId !== null) {
    await upsertPlayUrls(tx, { siteId: site.id, url: playUrl });
  }
  if (crmUrl !== undefined) await upsertSupport(tx, { siteId: site.id, crmUrl });
}

const Promotions = z.strictObject({ campaigns: PromotionList.shape.campaigns });

/**
 * The rebate campaigns of a site. With relative times, seeding again extends campaigns, whose start
 * stays as it was.
 */
export async function seedPromotions(tx: Tx, files: ShopFiles, siteId: string): Promise<void> {
  const { campaigns } = files.json(Promotions, `sites/${siteId}/promotions.json`);
  for (const campaign of campaigns) await writeCampaign(tx, campaign);
}

/** An IP address, which cannot have subdomains. */
const bareAddress = /^(\[|[\d.]+$)/;

/** Browsers resolve every name that ends in `localhost` to their own machine. */
export function addressOf({ subdomain }: Pick<SiteOfShop, 'subdomain'>, portalUrl: string): string {
  if (subdomain === null) return portalUrl;
  const url = new URL(portalUrl);
  url.hostname = `${subdomain}.${bareAddress.test(url.hostname) ? 'localhost' : url.hostname}`;
  return url.origin;
}
