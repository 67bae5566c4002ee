import type { LoginMethod } from '@pointgate/contract/accounts.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { cachedFor } from '../platform/cache.ts';
import type { Db } from '../platform/db.ts';
import { selectSites } from './sites.queries.ts';

/** A host name with its brand, game, currency and payment methods. */
export interface Site {
  siteId: string;
  portalUrl: string;
  domainType: 0 | 1;
  title: string;
  brandId: string;
  gameId: string | null;
  currency: CurrencyCode;
  locales: Locale[];
  methods: PaymentMethod[];
  loginMethods: LoginMethod[];
  loggerUrl: string | null;
  wechatAppId: string | null;
  orderMinutes: number;
  /** What is paid and not delivered by then is refunded by itself. */
  promiseHours: number;
  /** Which points are spent first. */
  spendOrder: 'present_first' | 'basic_first';
}

export interface Sites {
  byHost(host: string): Promise<Site | undefined>;
  byId(siteId: string): Promise<Site | undefined>;
}

const staleAfterMs = 2_000;

/** Sites are few and asked for by every request, so each process keeps them for two seconds. */
export function openSites(db: Db): Sites {
  const sites = cachedFor(staleAfterMs, () => readSites(db));
  return {
    byHost: async (host) => (await sites('all')).get(`host:${host}`),
    byId: async (siteId) => (await sites('all')).get(`id:${siteId}`),
  };
}

/** The site of an id that something of ours carries: a session, an order. */
export async function knownSite(sites: Sites, siteId: string): Promise<Site> {
  const site = await sites.byId(siteId);
  if (site === undefined) throw new Error(`site ${siteId} is gone`);
  return site;
}

export function toSiteConfig(site: Site, version: string): SiteConfig {
  return {
    domainType: site.domainType,
    siteTitle: site.title,
    version,
    locales: site.locales,
    currency: site.currency,
    methods: site.methods,
    loginMethods: site.loginMethods,
    gameInfo: {
      cgi: '',
      gameId: site.gameId,
      customConfig: {
        loggerUrl: site.loggerUrl,
        brandId: site.brandId,
        wechatAppId: site.wechatAppId,
      },
    },
  };
}

async function readSites(db: Db): Promise<ReadonlyMap<string, Site>> {
  const byName = new Map<string, Site>();
  for (const row of await selectSites(db)) {
    const site: Site = {
      siteId: row.id,
      portalUrl: row.portal_url,
      domainType: row.domain_type,
      title: row.title,
      brandId: row.brand_id,
      gameId: row.game_id,
      currency: row.currency,
      locales: row.locales,
      methods: row.methods,
      loginMethods: row.login_methods,
      loggerUrl: row.logger_url,
      wechatAppId: row.wechat_app_id,
      orderMinutes: row.order_minutes,
      promiseHours: row.promise_hours,
      spendOrder: row.spend_order,
    };
    byName.set(`id:${site.siteId}`, site);
    for (const host of row.hosts) byName.set(`host:${host}`, site);
  }
  return byName;
}
