import { Locale } from '@pointgate/contract/locales.ts';
import { Currency } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { z } from 'zod';
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
  currency: z.output<typeof Currency>;
  locales: Locale[];
  methods: PaymentMethod[];
  loggerUrl: string | null;
  wechatAppId: string | null;
  orderMinutes: number;
}

export interface Sites {
  byHost(host: string): Promise<Site | undefined>;
  byId(siteId: string): Promise<Site | undefined>;
}

const staleAfterMs = 2_000;

const Lists = z.object({ locales: z.array(Locale), methods: z.array(PaymentMethod) });

/** Sites are few and asked for by every request, so each process keeps them for two seconds. */
export function openSites(db: Db): Sites {
  const sites = cachedFor(staleAfterMs, () => readSites(db));
  return {
    byHost: async (host) => (await sites('all')).get(`host:${host}`),
    byId: async (siteId) => (await sites('all')).get(`id:${siteId}`),
  };
}

export function toSiteConfig(site: Site, version: string): SiteConfig {
  return {
    domainType: site.domainType,
    siteTitle: site.title,
    version,
    locales: site.locales,
    currency: site.currency,
    methods: site.methods,
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
    const { locales, methods } = Lists.parse(row);
    const site: Site = {
      siteId: row.id,
      portalUrl: row.portal_url,
      domainType: row.domain_type,
      title: row.title,
      brandId: row.brand_id,
      gameId: row.game_id,
      currency: Currency.parse(row.currency),
      locales,
      methods,
      loggerUrl: row.logger_url,
      wechatAppId: row.wechat_app_id,
      orderMinutes: row.order_minutes,
    };
    byName.set(`id:${site.siteId}`, site);
    for (const host of row.hosts) byName.set(`host:${host}`, site);
  }
  return byName;
}
