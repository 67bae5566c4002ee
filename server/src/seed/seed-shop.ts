import { locales } from '@pointgate/contract/locales.ts';
import { soldPriceComplaints } from '../catalogue/price-list.ts';
import type { Tx } from '../platform/db.ts';
import { sitesIn } from '../publisher/sites/sites.ts';
import {
  type DemoSite,
  demoCurrencies,
  demoPointPacks,
  demoPriceRules,
  demoSites,
  methodsOf,
} from './demo-catalogue.ts';
import { demoGame, demoGames } from './demo-games.ts';
import { packsOf } from './demo-packs.ts';
import {
  upsertGame,
  upsertPacks,
  upsertPlayUrls,
  upsertPointPacks,
  upsertPriceRule,
  upsertSite,
  upsertSupport,
} from './seed.queries.ts';
import { seedPromotions } from './seed-promotions.ts';

interface Surroundings {
  /** Of the first site; the others are below its name. */
  portalUrl: string;
  /** One program plays all the games. */
  gameUrl: string;
  wechatAppId?: string | undefined;
  crmUrl?: string | undefined;
  /** Where its games are started. */
  playUrl?: string | undefined;
  now: Date;
}

/** The demo's publisher: its games, what they sell, and its sites. A second time changes nothing. */
export async function seedShop(tx: Tx, surroundings: Surroundings): Promise<void> {
  const { gameUrl, now } = surroundings;
  for (const game of demoGames) {
    await upsertGame(tx, { apiUrl: gameUrl, game });
    await upsertPacks(tx, { gameId: game.id, packs: packsOf(game), now });
  }
  await upsertPointPacks(tx, demoPointPacks);
  for (const rule of demoPriceRules) await upsertPriceRule(tx, rule);
  for (const site of demoSites) await seedSite(tx, site, surroundings);
  const complaints = await soldPriceComplaints(tx, await sitesIn(tx));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

async function seedSite(
  tx: Tx,
  site: DemoSite,
  { portalUrl, wechatAppId, crmUrl, playUrl, now }: Surroundings,
): Promise<void> {
  const url = addressOf(site, portalUrl);
  const { hostname } = new URL(url);
  const hosts = site.id === demoGame.id ? ['localhost', '127.0.0.1'] : [`${site.id}.localhost`];
  await upsertSite(tx, {
    ...site,
    portalUrl: url,
    locales,
    hosts: [...hosts, hostname],
    wechatAppId,
    methods: methodsOf(site),
    otherCurrencies: demoCurrencies.filter((currency) => currency !== site.currency),
  });
  if (playUrl !== undefined && site.gameId !== null) {
    await upsertPlayUrls(tx, { siteId: site.id, url: playUrl });
  }
  if (crmUrl !== undefined) await upsertSupport(tx, { siteId: site.id, crmUrl });
  const { id: siteId, gameId, currency } = site;
  await seedPromotions(tx, { siteId, gameId, currency, now });
}

/** A number: nothing can be below it. */
const bareAddress = /^(\[|[\d.]+$)/;

/** Browsers look for every name that ends in `localhost` on their own machine. */
export function addressOf({ id }: Pick<DemoSite, 'id'>, portalUrl: string): string {
  if (id === demoGame.id) return portalUrl;
  const url = new URL(portalUrl);
  url.hostname = `${id}.${bareAddress.test(url.hostname) ? 'localhost' : url.hostname}`;
  return url.origin;
}
