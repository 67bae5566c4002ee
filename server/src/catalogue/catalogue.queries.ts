import { z } from 'zod';
import { type Db, sql } from '../platform/db.ts';
import { LocalText } from '../platform/local-text.ts';

const GameRow = z.object({
  id: z.string(),
  name: LocalText,
  subtitle: LocalText,
  api_url: z.url(),
  gives_once: z.boolean(),
});

const ServerRow = z.object({
  id: z.string(),
  name: LocalText,
  region: LocalText,
  status: z.union([z.literal(0), z.literal(1)]),
  systems: z.array(z.enum(['ios', 'android'])),
});

const GroupRow = z.object({ id: z.string(), name: LocalText });

const ItemRow = z.object({
  id: z.string(),
  group_id: z.string(),
  sku: z.string(),
  name: LocalText,
  unit: LocalText,
  quantity: z.bigint(),
  gift_quantity: z.bigint(),
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  badge: z.enum(['popular', 'best_value']).nullable(),
  art: z.string(),
  systems: z.array(z.enum(['ios', 'android'])),
  prices: z.record(z.string(), z.string()),
});
export type ItemRow = z.output<typeof ItemRow>;

export function selectGame(db: Db, gameId: string) {
  return db.maybeOne(
    GameRow,
    sql`select id, name, subtitle, api_url, gives_once from games where id = ${gameId}`,
  );
}

export function selectServers(db: Db, gameId: string) {
  return db.many(
    ServerRow,
    sql`
      select id, name, region, status, systems from game_servers
      where game_id = ${gameId} order by position, id limit 1000`,
  );
}

export function selectGroups(db: Db, gameId: string) {
  return db.many(
    GroupRow,
    sql`
      select id, name from item_groups where game_id = ${gameId} order by position, id limit 100`,
  );
}

/** Prices come as text: JSON has no exact number of that size. */
export function selectItems(db: Db, gameId: string) {
  return db.many(
    ItemRow,
    sql`
      select items.id, group_id, sku, name, unit, quantity, gift_quantity, tier, badge, art, systems,
             coalesce(jsonb_object_agg(currency, amount_minor::text) filter (where currency is not null), '{}')
               as prices
      from items left join item_prices on item_id = items.id
      where game_id = ${gameId} and is_for_sale
      group by items.id order by items.position, items.id limit 1000`,
  );
}

const PackRow = z.object({
  id: z.string(),
  name: LocalText,
  quantity: z.bigint(),
  gift_quantity: z.bigint(),
  gift_days: z.int().nullable(),
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  badge: z.enum(['popular', 'best_value']).nullable(),
  art: z.string(),
  systems: z.array(z.enum(['ios', 'android'])),
  prices: z.record(z.string(), z.string()),
});
export type PackRow = z.output<typeof PackRow>;

export function selectPacks(db: Db) {
  return db.many(
    PackRow,
    sql`
      select id, name, quantity, gift_quantity, gift_days, tier, badge, art, systems,
             coalesce(jsonb_object_agg(currency, amount_minor::text) filter (where currency is not null), '{}')
               as prices
      from point_packs left join point_pack_prices on pack_id = id
      where is_for_sale
      group by id order by position, id limit 200`,
  );
}
