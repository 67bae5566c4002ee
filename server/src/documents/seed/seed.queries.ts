import { loginMethods } from '@pointgate/contract/accounts.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { sql, type Tx } from '../../platform/db.ts';
import type { Game, Item, PointPack, PriceRule } from './seed-rows.ts';

// All statements are idempotent: existing rows are updated or left alone, and none is removed.

export async function upsertGame(
  tx: Tx,
  { apiUrl, game }: { apiUrl: string; game: Game },
): Promise<void> {
  const jwksUrl = `${apiUrl}/.well-known/jwks.json`;
  await tx.run(sql`
    insert into games (id, name, subtitle, theme, api_url, jwks_url)
    values (${game.id}, ${game.name}, ${game.subtitle}, ${game.theme}, ${apiUrl}, ${jwksUrl})
    on conflict (id) do update
    set theme = excluded.theme, api_url = excluded.api_url, jwks_url = excluded.jwks_url`);
  for (const [position, server] of game.servers.entries()) {
    const { id, name, region, status, systems } = server;
    await tx.run(sql`
      insert into game_servers (game_id, id, name, region, status, systems, position)
      values (${game.id}, ${id}, ${name}, ${region}, ${status}, ${systems}, ${position})
      on conflict do nothing`);
  }
}

/** Items of a game with the groups they are in. */
export async function upsertItems(
  tx: Tx,
  { id: gameId, groups, items }: Pick<Game, 'id' | 'groups' | 'items'>,
): Promise<void> {
  const used = groups.filter(({ id }) => items.some(({ group }) => group === id));
  for (const [position, group] of used.entries()) {
    await tx.run(sql`
      insert into item_groups (game_id, id, name, position)
      values (${gameId}, ${group.id}, ${group.name}, ${position}) on conflict do nothing`);
  }
  for (const [position, item] of items.entries()) await upsertItem(tx, { gameId, item, position });
}

async function upsertItem(
  tx: Tx,
  { gameId, item, position }: { gameId: string; item: Item; position: number },
): Promise<void> {
  await tx.run(sql`
    insert into items (id, game_id, group_id, sku, name, unit, quantity, gift_quantity, tier, badge,
                       art, position, sale_from, sale_until, limit_packs, limit_per, limit_period)
    values (${item.id}, ${gameId}, ${item.group}, ${item.sku}, ${item.name}, ${item.unit},
            ${item.quantity}, ${item.gift}, ${item.tier}, ${item.badge}, ${item.art}, ${position},
            ${item.saleFrom}, ${item.saleUntil}, ${item.limit?.packs ?? null},
            ${item.limit?.per ?? null}, ${item.limit?.period ?? null})
    on conflict do nothing`);
  await tx.run(sql`
    insert into item_prices (item_id, currency, amount_minor)
    select ${item.id}, currency, amount_minor from ${pricesIn(item)} on conflict do nothing`);
}

export async function upsertPointPacks(tx: Tx, packs: readonly PointPack[]): Promise<void> {
  for (const [position, pack] of packs.entries()) {
    await tx.run(sql`
      insert into point_packs (id, name, quantity, gift_quantity, gift_days, tier, badge, art, position)
      values (${pack.id}, ${pack.name}, ${pack.quantity}, ${pack.gift}, ${pack.giftDays},
              ${pack.tier}, ${pack.badge}, ${pack.art}, ${position})
      on conflict do nothing`);
    await tx.run(sql`
      insert into point_pack_prices (pack_id, currency, amount_minor)
      select ${pack.id}, currency, amount_minor from ${pricesIn(pack)} on conflict do nothing`);
  }
}

/** In one statement, because each that changes prices makes all processes read the catalogue again. */
function pricesIn({ prices }: Pick<Item, 'prices'>) {
  const currencies = prices.map(({ currency }) => currency);
  const amounts = prices.map(({ amountMinor }) => `${amountMinor}`);
  return sql`unnest(${currencies}::text[], ${amounts}::bigint[]) as prices (currency, amount_minor)`;
}

export async function upsertPriceRule(tx: Tx, rule: PriceRule): Promise<void> {
  await tx.run(sql`
    insert into price_rules (currency, base_currency, rate_numerator, rate_denominator,
                             price_points, step_minor)
    values (${rule.currency}, ${rule.baseCurrency}, ${rule.rateNumerator},
            ${rule.rateDenominator}, ${rule.pointsMinor.map(String)}::bigint[], ${rule.stepMinor})
    on conflict do nothing`);
}

export interface NewSite {
  id: string;
  domainType: 0 | 1;
  title: string;
  brandId: string;
  portalUrl: string;
  hosts: readonly string[];
  locales: readonly string[];
  theme: Partial<SiteTheme>;
  gameId: string | null;
  /** The games of a platform, in display order. */
  gameIds: readonly string[];
  currency: CurrencyCode;
  otherCurrencies: readonly CurrencyCode[];
  methods: readonly PaymentMethod[];
  wechatAppId?: string | undefined;
}

export async function upsertSite(tx: Tx, site: NewSite): Promise<void> {
  await tx.run(sql`
    insert into sites (id, domain_type, title, brand_id, portal_url, game_id, theme, currency,
                       other_currencies, locales, methods, login_methods, wechat_app_id)
    values (${site.id}, ${site.domainType}, ${site.title}, ${site.brandId}, ${site.portalUrl},
            ${site.gameId}, ${site.theme}, ${site.currency}, ${[...site.otherCurrencies]},
            ${[...site.locales]}, ${[...site.methods]}, ${[...loginMethods]},
            ${site.wechatAppId ?? null})
    on conflict (id) do update set portal_url = excluded.portal_url, theme = excluded.theme,
      currency = excluded.currency, other_currencies = excluded.other_currencies, methods = excluded.methods,
      login_methods = excluded.login_methods, wechat_app_id = excluded.wechat_app_id`);
  for (const [position, sold] of site.gameIds.entries()) {
    await tx.run(sql`
      insert into site_games (site_id, game_id, position) values (${site.id}, ${sold}, ${position})
      on conflict do nothing`);
  }
  for (const host of site.hosts) {
    await tx.run(sql`
      insert into site_hosts (host, site_id) values (${host}, ${site.id}) on conflict do nothing`);
  }
}

/** The link to start the game of a site, the same on every device. */
export async function upsertPlayUrls(
  tx: Tx,
  { siteId, url }: { siteId: string; url: string },
): Promise<void> {
  const urls = { ios: url, android: url, desktop: url };
  await tx.run(sql`update sites set play_urls = ${urls} where id = ${siteId}`);
}

/** The customer service address of a site. */
export async function upsertSupport(
  tx: Tx,
  { siteId, crmUrl }: { siteId: string; crmUrl: string },
): Promise<void> {
  await tx.run(sql`update sites set crm_url = ${crmUrl} where id = ${siteId}`);
}
