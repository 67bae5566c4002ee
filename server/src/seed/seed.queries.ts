import { loginMethods } from '@pointgate/contract/accounts.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { SiteTheme } from '@pointgate/contract/site-config.ts';
import { sql, type Tx } from '../platform/db.ts';
import type { DemoPointPack, demoPriceRules } from './demo-catalogue.ts';
import { type DemoGame, demoGame, groups, points, regions } from './demo-games.ts';
import { type DemoPack, numbered } from './demo-packs.ts';

// All statements are idempotent: existing rows are updated or left alone, and none is removed.

/** The first demo game by default. */
export async function upsertGame(
  tx: Tx,
  { apiUrl, game = demoGame }: { apiUrl: string; game?: DemoGame },
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
      values (${game.id}, ${id}, ${{ 'en-US': name }}, ${regions[region]}, ${status}, ${systems},
              ${position})
      on conflict do nothing`);
  }
}

/** The packs of a game with their groups. */
export async function upsertPacks(
  tx: Tx,
  { gameId, packs, now }: { gameId: string; packs: readonly DemoPack[]; now: Date },
): Promise<void> {
  const groupIds = new Set(packs.map(({ groupId }) => groupId));
  for (const [position, groupId] of [...groupIds].entries()) {
    await tx.run(sql`
      insert into item_groups (game_id, id, name, position)
      values (${gameId}, ${groupId}, ${groups[groupId]}, ${position}) on conflict do nothing`);
  }
  for (const [position, pack] of packs.entries()) {
    await upsertPack(tx, { gameId, pack, position, now });
  }
}

async function upsertPack(
  tx: Tx,
  item: { gameId: string; pack: DemoPack; position: number; now: Date },
): Promise<void> {
  const { pack } = item;
  const saleFrom = pack.saleDays === null ? null : item.now;
  await tx.run(sql`
    insert into items (id, game_id, group_id, sku, name, unit, quantity, gift_quantity, tier, badge,
                       art, position, sale_from, sale_until, limit_packs, limit_per, limit_period)
    values (${pack.id}, ${item.gameId}, ${pack.groupId}, ${pack.sku}, ${pack.name}, ${pack.unit},
            ${pack.quantity}, ${pack.gift}, ${pack.tier}, ${pack.badge}, ${pack.art},
            ${item.position}, ${saleFrom},
            ${saleFrom}::timestamptz + make_interval(days => ${pack.saleDays}),
            ${pack.limit?.packs ?? null}, ${pack.limit?.per ?? null}, ${pack.limit?.period ?? null})
    on conflict do nothing`);
  await tx.run(sql`
    insert into item_prices (item_id, currency, amount_minor)
    select ${pack.id}, currency, amount_minor
    from (values ('USD', ${pack.cents}::bigint), ('EPOINT', ${pack.points}::bigint))
      as prices (currency, amount_minor)
    where amount_minor is not null
    on conflict do nothing`);
}

export async function upsertPointPacks(tx: Tx, packs: readonly DemoPointPack[]): Promise<void> {
  for (const [position, pack] of packs.entries()) {
    const packId = `epoint_${pack.quantity}`;
    const name = numbered(pack.quantity, points);
    await tx.run(sql`
      insert into point_packs (id, name, quantity, gift_quantity, gift_days, tier, badge, art, position)
      values (${packId}, ${name}, ${pack.quantity}, ${pack.gift}, ${pack.giftDays}, ${pack.tier},
              ${pack.badge}, ${pack.art}, ${position})
      on conflict do nothing`);
    await tx.run(sql`
      insert into point_pack_prices (pack_id, currency, amount_minor)
      values (${packId}, 'USD', ${pack.cents}) on conflict do nothing`);
  }
}

export async function upsertPriceRule(
  tx: Tx,
  { currency, rate, points, step }: (typeof demoPriceRules)[number],
): Promise<void> {
  const [numerator, denominator] = rate;
  await tx.run(sql`
    insert into price_rules (currency, base_currency, rate_numerator, rate_denominator,
                             price_points, step_minor)
    values (${currency}, 'USD', ${numerator}, ${denominator}, ${points}::bigint[], ${step})
    on conflict do nothing`);
}

interface NewSite {
  id: string;
  portalUrl: string;
  locales: readonly string[];
  hosts: readonly string[];
  wechatAppId?: string | undefined;
  /** By default the site of the first demo game, without a theme of its own. */
  domainType?: 0 | 1;
  title?: string;
  theme?: Partial<SiteTheme>;
  gameId?: string | null;
  /** The games of a platform, in display order. */
  gameIds?: readonly string[];
  /** US dollars by default. */
  currency?: CurrencyCode;
  otherCurrencies?: readonly CurrencyCode[];
  /** Cards and E Points by default. */
  methods?: readonly PaymentMethod[];
}

export async function upsertSite(tx: Tx, site: NewSite): Promise<void> {
  const { domainType = 0, title = demoGame.name['en-US'], theme = {} } = site;
  const { gameId = demoGame.id, gameIds = [], currency = 'USD', otherCurrencies = [] } = site;
  const { methods = ['card', 'epoint'] } = site;
  await tx.run(sql`
    insert into sites (id, domain_type, title, brand_id, portal_url, game_id, theme, currency,
                       other_currencies, locales, methods, login_methods, wechat_app_id)
    values (${site.id}, ${domainType}, ${title}, 'omni', ${site.portalUrl}, ${gameId}, ${theme},
            ${currency}, ${[...otherCurrencies]}, ${[...site.locales]}, ${[...methods]},
            ${[...loginMethods]}, ${site.wechatAppId ?? null})
    on conflict (id) do update set portal_url = excluded.portal_url, theme = excluded.theme,
      currency = excluded.currency, other_currencies = excluded.other_currencies, methods = excluded.methods,
      login_methods = excluded.login_methods, wechat_app_id = excluded.wechat_app_id`);
  for (const [position, sold] of gameIds.entries()) {
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
