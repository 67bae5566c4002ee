import type { GiftRule } from '@pointgate/contract/documents/promotions.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { Currency, type CurrencyCode } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { readRows } from '../../platform/readable-rows.ts';
import { RuleRow } from './gifts.queries.ts';

/** A campaign with its tiers, as stored. */
export interface CampaignTerms {
  campaignId: string;
  siteId: string;
  kind: 'item' | 'points';
  gameId: string | null;
  name: Record<(typeof locales)[number], string>;
  currency: CurrencyCode;
  startsAt: string;
  endsAt: string;
  presentDays: number | null;
  tiers: { tier: number; fromMinor: bigint; points: bigint }[];
}

/** The items and packs with these ids. */
export function selectGoodsOf(tx: Tx, ids: readonly string[]) {
  return tx.many(
    z.object({ kind: z.string(), id: z.string(), game_id: z.string().nullable() }),
    sql`
      select 'item' as kind, id, game_id from items where id = any(${ids})
      union all
      select 'points', id, null from point_packs where id = any(${ids})`,
  );
}

export async function selectKnownAccounts(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.many(
    z.object({ id: z.uuid() }),
    sql`select id from accounts where id = any(${ids}::uuid[])`,
  );
  return rows.map(({ id }) => id);
}

const ListedRule = RuleRow.extend({
  site_id: z.string(),
  kind: z.enum(['item', 'points']),
  languages: z.array(z.enum(locales)).nullable(),
  accounts: z.array(z.uuid()).nullable(),
});

export async function selectRuleTerms(db: Db): Promise<GiftRule[]> {
  const { rows } = await readRows(
    db,
    { table: 'gift_rules', key: ['id'], row: ListedRule },
    sql`
      select *,
             case when is_listed then
               array(select account_id from gift_rule_accounts where rule_id = id order by 1)
             end as accounts
      from gift_rules order by site_id, id limit 1000`,
  );
  return rows.map((row) => ({
    ruleId: row.id,
    siteId: row.site_id,
    kind: row.kind,
    itemId: row.item_id,
    giftQuantity: row.gift_quantity?.toString() ?? null,
    giftPercent: row.gift_percent,
    firstPurchase: row.first_purchase,
    packsMax: row.packs_max,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    newAccountDays: row.new_account_days,
    countries: row.countries,
    languages: row.languages,
    hasBought: row.has_bought,
    accounts: row.accounts,
  }));
}

export async function upsertRule(tx: Tx, rule: GiftRule): Promise<void> {
  await tx.run(sql`
    insert into gift_rules
      (id, site_id, kind, item_id, gift_quantity, gift_percent, first_purchase, packs_max, starts_at,
       ends_at, new_account_days, countries, languages, has_bought, is_listed)
    values (${rule.ruleId}, ${rule.siteId}, ${rule.kind}, ${rule.itemId}, ${rule.giftQuantity},
            ${rule.giftPercent}, ${rule.firstPurchase}, ${rule.packsMax}, ${rule.startsAt},
            ${rule.endsAt}, ${rule.newAccountDays}, ${rule.countries}, ${rule.languages},
            ${rule.hasBought}, ${rule.accounts !== null})
    on conflict (id) do update set
      site_id = excluded.site_id, kind = excluded.kind, item_id = excluded.item_id,
      gift_quantity = excluded.gift_quantity, gift_percent = excluded.gift_percent,
      first_purchase = excluded.first_purchase, packs_max = excluded.packs_max,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      new_account_days = excluded.new_account_days, countries = excluded.countries,
      languages = excluded.languages, has_bought = excluded.has_bought,
      is_listed = excluded.is_listed`);
  await tx.run(sql`delete from gift_rule_accounts where rule_id = ${rule.ruleId}`);
  await tx.run(sql`
    insert into gift_rule_accounts (rule_id, account_id)
    select distinct ${rule.ruleId}, account_id from unnest(${rule.accounts ?? []}::uuid[]) as account_id`);
}

const CampaignRow = z.object({
  id: z.string(),
  site_id: z.string(),
  kind: z.enum(['item', 'points']),
  game_id: z.string().nullable(),
  name: z.record(z.enum(locales), z.string()),
  currency: z.enum(Currency.def.entries),
  starts_at: z.date(),
  ends_at: z.date(),
  present_days: z.int().nullable(),
});
const TierRow = z.object({
  campaign_id: z.string(),
  tier: z.int(),
  from_minor: z.bigint(),
  present_points: z.bigint(),
});

export async function selectCampaignTerms(db: Db | Tx): Promise<CampaignTerms[]> {
  const { rows } = await readRows(
    db,
    { table: 'rebate_campaigns', key: ['id'], row: CampaignRow },
    sql`select * from rebate_campaigns order by site_id, starts_at, id limit 1000`,
  );
  const tiers = await db.many(TierRow, sql`select * from rebate_tiers order by from_minor`);
  const ofCampaign = Map.groupBy(tiers, ({ campaign_id }) => campaign_id);
  return rows.map((row) => ({
    campaignId: row.id,
    siteId: row.site_id,
    kind: row.kind,
    gameId: row.game_id,
    name: row.name,
    currency: row.currency,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    presentDays: row.present_days,
    tiers: (ofCampaign.get(row.id) ?? []).map(({ tier, from_minor, present_points }) => ({
      tier,
      fromMinor: from_minor,
      points: present_points,
    })),
  }));
}

/**
 * Does not change the fields that determine which orders count. Earned tiers keep their own copy.
 */
export async function upsertCampaign(tx: Tx, campaign: CampaignTerms): Promise<void> {
  await tx.run(sql`
    insert into rebate_campaigns
      (id, site_id, kind, game_id, name, currency, starts_at, ends_at, present_days)
    values (${campaign.campaignId}, ${campaign.siteId}, ${campaign.kind}, ${campaign.gameId},
            ${JSON.stringify(campaign.name)}, ${campaign.currency}, ${campaign.startsAt},
            ${campaign.endsAt}, ${campaign.presentDays})
    on conflict (id) do update set
      name = excluded.name, ends_at = excluded.ends_at, present_days = excluded.present_days`);
  await tx.run(sql`delete from rebate_tiers where campaign_id = ${campaign.campaignId}`);
  await tx.run(sql`
    insert into rebate_tiers (campaign_id, tier, from_minor, present_points)
    select ${campaign.campaignId}, * from unnest(
      ${campaign.tiers.map(({ tier }) => tier)}::int[],
      ${campaign.tiers.map(({ fromMinor }) => fromMinor)}::bigint[],
      ${campaign.tiers.map(({ points }) => points)}::bigint[])`);
}
