import { loginMethods } from '@pointgate/contract/accounts.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { sql, type Tx } from '../platform/db.ts';
import {
  demoGame,
  demoGroup,
  demoItems,
  demoPointPacks,
  demoServers,
  shardName,
  shardUnit,
} from './demo-catalogue.ts';

const bothSystems = ['ios', 'android'];

/** Repeatable: what is there already is brought up to date, nothing is removed. */
export async function upsertGame(tx: Tx, { apiUrl }: { apiUrl: string }): Promise<void> {
  await tx.run(sql`
    insert into games (id, name, subtitle, api_url, jwks_url)
    values (${demoGame.id}, ${demoGame.name}, ${demoGame.subtitle}, ${apiUrl},
            ${`${apiUrl}/.well-known/jwks.json`})
    on conflict (id) do update set api_url = excluded.api_url, jwks_url = excluded.jwks_url`);
  for (const [position, server] of demoServers.entries()) {
    await tx.run(sql`
      insert into game_servers (game_id, id, name, region, status, systems, position)
      values (${demoGame.id}, ${server.id}, ${server.name}, ${server.region}, ${server.status},
              ${bothSystems}, ${position})
      on conflict do nothing`);
  }
  await tx.run(sql`
    insert into item_groups (game_id, id, name, position)
    values (${demoGame.id}, ${demoGroup.id}, ${demoGroup.name}, 0) on conflict do nothing`);
}

export async function upsertItems(tx: Tx): Promise<void> {
  for (const [position, item] of demoItems.entries()) {
    const itemId = `shards_${item.quantity}`;
    const names = Object.fromEntries(
      Object.entries(shardName).map(([locale, name]) => [locale, `${item.quantity} ${name}`]),
    );
    await tx.run(sql`
      insert into items (id, game_id, group_id, sku, name, unit, quantity, gift_quantity, tier,
                         badge, art, position)
      values (${itemId}, ${demoGame.id}, ${demoGroup.id}, 'lumen_shard', ${names}, ${shardUnit},
              ${item.quantity}, ${item.gift}, ${item.tier}, ${item.badge}, ${item.art}, ${position})
      on conflict do nothing`);
    await tx.run(sql`
      insert into item_prices (item_id, currency, amount_minor)
      values (${itemId}, 'USD', ${item.cents}), (${itemId}, 'EPOINT', ${item.points})
      on conflict do nothing`);
  }
}

export async function upsertPointPacks(tx: Tx): Promise<void> {
  for (const [position, pack] of demoPointPacks.entries()) {
    const packId = `epoint_${pack.quantity}`;
    const names = Object.fromEntries(
      locales.map((locale) => [locale, `${pack.quantity} E Points`]),
    );
    await tx.run(sql`
      insert into point_packs (id, name, quantity, gift_quantity, gift_days, tier, badge, art, position)
      values (${packId}, ${names}, ${pack.quantity}, ${pack.gift}, ${pack.giftDays}, ${pack.tier},
              ${pack.badge}, ${pack.art}, ${position})
      on conflict do nothing`);
    await tx.run(sql`
      insert into point_pack_prices (pack_id, currency, amount_minor)
      values (${packId}, 'USD', ${pack.cents}) on conflict do nothing`);
  }
}

export async function upsertSite(
  tx: Tx,
  site: {
    id: string;
    portalUrl: string;
    locales: readonly string[];
    hosts: readonly string[];
    wechatAppId?: string | undefined;
  },
): Promise<void> {
  await tx.run(sql`
    insert into sites (id, domain_type, title, brand_id, portal_url, game_id, currency, locales, methods,
                       login_methods, wechat_app_id)
    values (${site.id}, 0, 'Solmere', 'omni', ${site.portalUrl}, ${demoGame.id}, 'USD',
            ${[...site.locales]}, ${['card', 'epoint']}, ${[...loginMethods]},
            ${site.wechatAppId ?? null})
    on conflict (id) do update set portal_url = excluded.portal_url, methods = excluded.methods,
      login_methods = excluded.login_methods, wechat_app_id = excluded.wechat_app_id`);
  for (const host of site.hosts) {
    await tx.run(sql`
      insert into site_hosts (host, site_id) values (${host}, ${site.id}) on conflict do nothing`);
  }
}
