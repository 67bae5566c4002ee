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
  /** The URL of the first site; the others are subdomains. */
  portalUrl: string;
  /** One sandbox program serves all games. */
  gameUrl: string;
  wechatAppId?: string | undefined;
  crmUrl?: string | undefined;
  /** The page that starts its games. */
  playUrl?: string | undefined;
  now: Date;
}

/** Creates the games, packs and sites of the demo. Idempotent. */
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

/** An IP address, which cannot have subdomains. */
const bareAddress = /^(\[|[\d.]+$)/;

/** Browsers resolve every name that ends in `localhost` to their own machine. */
export function addressOf({ id }: Pick<DemoSite, 'id'>, portalUrl: string): string {
  if (id === demoGame.id) return portalUrl;
  const url = new URL(portalUrl);
  url.hostname = `${id}.${bareAddress.test(url.hostname) ? 'localhost' : url.hostname}`;
  return url.origin;
}
