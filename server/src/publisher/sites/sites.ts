import type { LoginMethod } from '@pointgate/contract/accounts.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { PlayUrls, SiteConfig, SiteTheme } from '@pointgate/contract/site-config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { UnusableRow } from '../../platform/readable-rows.ts';
import { type ContentChanges, cacheContent } from '../../platform/versioned-cache.ts';
import { SiteName, selectSites, updateContract } from './sites.queries.ts';

/** A site of the shop: its hosts' brand, games, currencies and payment methods. */
export interface Site {
  siteId: string;
  portalUrl: string;
  domainType: 0 | 1;
  title: string;
  brandId: string;
  theme: SiteTheme;
  gameId: string | null;
  /** The games that it sells, in display order. */
  gameIds: string[];
  /** The currency shown by default. */
  currency: CurrencyCode;
  /** All accepted currencies, including the default one. */
  currencies: CurrencyCode[];
  /** The countries in which it sells; empty for all. */
  countries: string[];
  /** The country whose prices it shows. */
  priceCountry: string | null;
  /** The time zone in which the days of purchase limits begin. */
  timeZone: string;
  locales: Locale[];
  /** The configured methods in display order. Routing decides which of them a player is offered. */
  methods: PaymentMethod[];
  /** The countries in which a method is offered; all countries of the site if not set. */
  methodCountries: Partial<Record<PaymentMethod, string[]>>;
  /** The provider contract of a method; the default one of its provider if not set. */
  contracts: Partial<Record<Exclude<PaymentMethod, 'epoint'>, string>>;
  loginMethods: LoginMethod[];
  privacyUrl: string | null;
  agreementUrl: string | null;
  loggerUrl: string | null;
  wechatAppId: string | null;
  /** The publisher's customer service, if there is one. */
  crmUrl: string | null;
  /** The links to start or install its game. */
  playUrls: PlayUrls;
  orderMinutes: number;
  /** Hours after which a paid but undelivered order is refunded automatically. */
  promiseHours: number;
  /** The kind of E Points that is spent first. */
  spendOrder: 'present_first' | 'basic_first';
  /** The rules that limit the spending of players. */
  policyPack: string;
}

/** A site whose row cannot be read is refused with `SiteUnavailable`. */
export interface Sites {
  byHost(host: string): Promise<Site | undefined>;
  byId(siteId: string): Promise<Site | undefined>;
  /** All readable sites. */
  all(): Promise<Site[]>;
}

/** Sites are cached in each process, because every request needs one and they are few. */
export function openSites(db: Db, changes?: ContentChanges): Sites {
  const { read: sites } = cacheContent(db, { topic: 'sites', changes }, () => readSites(db));
  const find = async (name: string) => {
    const found = (await sites()).get(name);
    if (found === 'unusable') throw new AppError('SiteUnavailable');
    return found;
  };
  return {
    byHost: (host) => find(`host:${host}`),
    byId: (siteId) => find(`id:${siteId}`),
    all: async () => readable(await sites()),
  };
}

/** All sites as seen by a transaction that may have changed them. */
export async function sitesIn(tx: Tx): Promise<Site[]> {
  return readable(await readSites(tx));
}

export async function unusableSites(db: Db): Promise<UnusableRow[]> {
  return (await selectSites(db)).unusable;
}

/**
 * Sets the provider contract of a method for new payments; null for the default one. Payments that
 * have begun keep theirs. False if there is no such site.
 */
export async function changeContract(
  tx: Tx,
  changed: {
    siteId: string;
    method: keyof Site['contracts'];
    contract: string | null;
    by: string;
    reason: string;
    at: Date;
  },
): Promise<boolean> {
  return await updateContract(tx, { id: newId(), ...changed });
}

/** The site of an id stored by the shop, as in a session or an order. */
export async function knownSite(sites: Sites, siteId: string): Promise<Site> {
  const site = await sites.byId(siteId);
  if (site === undefined) throw new Error(`site ${siteId} does not exist`);
  return site;
}

/** Whether the site sells this game. */
export function isSoldAt(site: Pick<Site, 'gameIds'>, gameId: string): boolean {
  return site.gameIds.includes(gameId);
}

export function toSiteConfig(
  site: Site,
  {
    version,
    isRehearsal,
    hasWechatScan,
    methods,
    methodsOut,
  }: Pick<SiteConfig, 'version' | 'isRehearsal' | 'methods' | 'methodsOut'> & {
    hasWechatScan: boolean;
  },
): SiteConfig {
  return {
    domainType: site.domainType,
    siteTitle: site.title,
    version,
    isRehearsal,
    theme: site.theme,
    locales: site.locales,
    currency: site.currency,
    currencies: site.currencies,
    countries: site.countries,
    timeZone: site.timeZone,
    methods,
    methodsOut,
    loginMethods: site.loginMethods,
    policies: { privacyUrl: site.privacyUrl, agreementUrl: site.agreementUrl },
    gameInfo: {
      cgi: '',
      gameId: site.gameId,
      playUrls: site.playUrls,
      customConfig: {
        loggerUrl: site.loggerUrl,
        loggerKey: null,
        brandId: site.brandId,
        wechatAppId: site.wechatAppId,
        hasWechatScan,
      },
    },
  };
}

type SitesByName = ReadonlyMap<string, Site | 'unusable'>;

function readable(sites: SitesByName): Site[] {
  return [...new Set(sites.values())].filter((site) => site !== 'unusable');
}

async function readSites(db: Db | Tx): Promise<SitesByName> {
  const byName = new Map<string, Site | 'unusable'>();
  const { rows, unusable } = await selectSites(db);
  for (const { raw } of unusable) {
    const { id, hosts } = SiteName.parse(raw);
    for (const name of [`id:${id}`, ...hosts.map((host) => `host:${host}`)]) {
      byName.set(name, 'unusable');
    }
  }
  for (const row of rows) {
    const site: Site = {
      siteId: row.id,
      portalUrl: row.portal_url,
      domainType: row.domain_type,
      title: row.title,
      brandId: row.brand_id,
      theme: row.theme,
      gameId: row.game_id,
      gameIds: row.game_ids,
      currency: row.currency,
      currencies: [row.currency, ...row.other_currencies],
      countries: row.countries,
      priceCountry: row.price_country,
      timeZone: row.time_zone,
      locales: row.locales,
      methods: row.methods,
      methodCountries: row.method_countries,
      contracts: row.contracts,
      loginMethods: row.login_methods,
      privacyUrl: row.privacy_url,
      agreementUrl: row.agreement_url,
      loggerUrl: row.logger_url,
      wechatAppId: row.wechat_app_id,
      crmUrl: row.crm_url,
      playUrls: row.play_urls,
      orderMinutes: row.order_minutes,
      promiseHours: row.promise_hours,
      spendOrder: row.spend_order,
      policyPack: row.policy_pack,
    };
    byName.set(`id:${site.siteId}`, site);
    for (const host of row.hosts) byName.set(`host:${host}`, site);
  }
  return byName;
}
