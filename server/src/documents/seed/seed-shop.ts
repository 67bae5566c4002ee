import type { SiteDocument } from '@pointgate/contract/documents/site.ts';
import { soldPriceComplaints } from '../../catalogue/price-list.ts';
import { writeCampaign } from '../../offers/promotions/promotion-list.ts';
import type { Tx } from '../../platform/db.ts';
import { sitesIn } from '../../publisher/sites/sites.ts';
import { gameIdsOf } from '../shop-amounts.ts';
import type { ShopFolder, SiteOfShop } from '../shop-documents.ts';
import {
  upsertGame,
  upsertItems,
  upsertPlayUrls,
  upsertPointPacks,
  upsertPriceRule,
  upsertSite,
  upsertSupport,
} from './seed.queries.ts';
import { gameRows, packRows, ruleRows } from './seed-rows.ts';

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
  shop: ShopFolder,
  surroundings: Surroundings,
): Promise<void> {
  const { gameUrl } = surroundings;
  for (const game of shop.games.map(gameRows)) {
    await upsertGame(tx, { apiUrl: gameUrl, game });
    await upsertItems(tx, game);
  }
  await upsertPointPacks(tx, packRows(shop));
  for (const rule of ruleRows(shop)) await upsertPriceRule(tx, rule);
  for (const site of shop.sites) {
    await seedSite(tx, site, surroundings);
    await seedPromotions(tx, site);
  }
  const complaints = await soldPriceComplaints(tx, await sitesIn(tx));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

async function seedSite(
  tx: Tx,
  site: SiteOfShop,
  { portalUrl, wechatAppId, crmUrl, playUrl }: Surroundings,
): Promise<void> {
  const { value } = site;
  const url = addressOf(value, portalUrl);
  const { hostname } = new URL(url);
  const hosts =
    value.subdomain === null ? ['localhost', '127.0.0.1'] : [`${value.subdomain}.localhost`];
  await upsertSite(tx, {
    ...value,
    id: site.id,
    domainType: value.gameId === undefined ? 1 : 0,
    gameId: value.gameId ?? null,
    // Only those of a platform.
    gameIds: value.gameId === undefined ? gameIdsOf(value) : [],
    portalUrl: url,
    hosts: [...hosts, hostname],
    wechatAppId,
  });
  if (playUrl !== undefined && value.gameId !== undefined) {
    await upsertPlayUrls(tx, { siteId: site.id, url: playUrl });
  }
  if (crmUrl !== undefined) await upsertSupport(tx, { siteId: site.id, crmUrl });
}

/**
 * The rebate campaigns of a site. With relative times, seeding again extends campaigns, whose start
 * stays as it was.
 */
export async function seedPromotions(tx: Tx, { promotions }: SiteOfShop): Promise<void> {
  for (const campaign of promotions?.value.campaigns ?? []) await writeCampaign(tx, campaign);
}

/** An IP address, which cannot have subdomains. */
const bareAddress = /^(\[|[\d.]+$)/;

/** Browsers resolve every name that ends in `localhost` to their own machine. */
export function addressOf(
  { subdomain }: Pick<SiteDocument, 'subdomain'>,
  portalUrl: string,
): string {
  if (subdomain === null || subdomain === undefined) return portalUrl;
  const url = new URL(portalUrl);
  url.hostname = `${subdomain}.${bareAddress.test(url.hostname) ? 'localhost' : url.hostname}`;
  return url.origin;
}
