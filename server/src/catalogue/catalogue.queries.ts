import { Theme } from '@pointgate/contract/documents/parts.ts';
import { Currency } from '@pointgate/contract/money.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';
import { ShownText } from '../platform/local-text.ts';
import { readRows } from '../platform/readable-rows.ts';

const GameRow = z.object({
  id: z.string(),
  name: ShownText,
  subtitle: ShownText,
  api_url: z.url(),
  gives_once: z.boolean(),
  theme: Theme,
});
export type GameRow = z.output<typeof GameRow>;

const ServerRow = z.object({
  game_id: z.string(),
  id: z.string(),
  name: ShownText,
  region: ShownText,
  status: z.union([z.literal(0), z.literal(1)]),
  systems: z.array(z.enum(['ios', 'android'])),
});

const GroupRow = z.object({ game_id: z.string(), id: Slug, name: ShownText });

/** Prices are selected as text, because JSON numbers are not exact at that size. */
const PriceTexts = z.record(z.string(), z.string().transform(BigInt));

const goods = {
  id: z.string(),
  name: ShownText,
  quantity: z.bigint(),
  gift_quantity: z.bigint(),
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  badge: z.enum(['popular', 'best_value']).nullable(),
  art: Slug,
  systems: z.array(z.enum(['ios', 'android'])),
  sale_from: z.date().nullable(),
  sale_until: z.date().nullable(),
  limit_packs: z.int().nullable(),
  limit_per: z.enum(['account', 'role']).nullable(),
  limit_period: z.enum(['day', 'week', 'month', 'ever']).nullable(),
  prices: PriceTexts,
};

const ItemRow = z.object({
  ...goods,
  game_id: z.string(),
  group_id: z.string(),
  sku: z.string(),
  unit: ShownText,
});
export type ItemRow = z.output<typeof ItemRow>;

const PackRow = z.object({ ...goods, gift_days: z.int().nullable() });
export type PackRow = z.output<typeof PackRow>;

const RuleRow = z.object({
  currency: z.enum(Currency.def.entries),
  country: z.string(),
  base_currency: z.enum(Currency.def.entries),
  rate_numerator: z.bigint(),
  rate_denominator: z.bigint(),
  price_points: z.array(z.string().transform(BigInt)),
  step_minor: z.bigint(),
  rounding: z.enum(['up', 'nearest', 'down']),
});
export type RuleRow = z.output<typeof RuleRow>;

export function selectGames(db: Db) {
  return readRows(
    db,
    { table: 'games', key: ['id'], row: GameRow },
    sql`select id, name, subtitle, api_url, gives_once, theme from games limit 10000`,
  );
}

export function selectServers(db: Db) {
  return readRows(
    db,
    { table: 'game_servers', key: ['game_id', 'id'], row: ServerRow },
    sql`
      select game_id, id, name, region, status, systems from game_servers
      order by game_id, position, id limit 100000`,
  );
}

export function selectGroups(db: Db) {
  return readRows(
    db,
    { table: 'item_groups', key: ['game_id', 'id'], row: GroupRow },
    sql`select game_id, id, name from item_groups order by game_id, position, id limit 10000`,
  );
}

/** Includes items without a price, which are not for sale. */
export function selectItems(db: Db | Tx) {
  return readRows(
    db,
    { table: 'items', key: ['id'], row: ItemRow },
    sql`
      select items.*, coalesce(prices, '{}') as prices
      from items left join (
        select item_id, jsonb_object_agg(currency || '/' || country, amount_minor::text) as prices
        from item_prices group by item_id
      ) as priced on item_id = items.id
      where is_for_sale
      order by items.position, items.id limit 100000`,
  );
}

export function selectPacks(db: Db | Tx) {
  return readRows(
    db,
    { table: 'point_packs', key: ['id'], row: PackRow },
    sql`
      select point_packs.*, coalesce(prices, '{}') as prices
      from point_packs left join (
        select pack_id, jsonb_object_agg(currency || '/' || country, amount_minor::text) as prices
        from point_pack_prices group by pack_id
      ) as priced on pack_id = point_packs.id
      where is_for_sale
      order by point_packs.position, point_packs.id limit 10000`,
  );
}

export function selectRules(db: Db | Tx) {
  return readRows(
    db,
    { table: 'price_rules', key: ['currency', 'country'], row: RuleRow },
    sql`
      select currency, country, base_currency, rate_numerator, rate_denominator,
             price_points::text[], step_minor, rounding
      from price_rules limit 1000`,
  );
}

const GoodsRow = z.object({ id: z.string(), game_id: z.string().nullable() });

/** Items with their game, and E Point packs, which have none. */
export function selectGoods(tx: Tx, ids: readonly string[]) {
  return tx.many(
    GoodsRow,
    sql`
      select id, game_id from items where id = any(${ids}::text[])
      union all
      select id, null from point_packs where id = any(${ids}::text[])
      limit 200000`,
  );
}

export interface NewPrice {
  itemId: string;
  currency: string;
  country: string;
  amountMinor: bigint;
}

export async function upsertItemPrice(tx: Tx, price: NewPrice): Promise<void> {
  await tx.run(sql`
    insert into item_prices (item_id, currency, country, amount_minor)
    values (${price.itemId}, ${price.currency}, ${price.country}, ${price.amountMinor})
    on conflict (item_id, currency, country) do update set amount_minor = excluded.amount_minor`);
}

export async function upsertPackPrice(tx: Tx, price: NewPrice): Promise<void> {
  await tx.run(sql`
    insert into point_pack_prices (pack_id, currency, country, amount_minor)
    values (${price.itemId}, ${price.currency}, ${price.country}, ${price.amountMinor})
    on conflict (pack_id, currency, country) do update set amount_minor = excluded.amount_minor`);
}
