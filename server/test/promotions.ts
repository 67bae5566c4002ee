import { locales } from '@pointgate/contract/locales.ts';
import { z } from 'zod';
import type { Fact } from '../src/money/orders/order-fact.ts';
import { recordFacts } from '../src/money/orders/orders.ts';
import { countForRebates } from '../src/offers/promotions/promotions.ts';
import { type Db, sql } from '../src/platform/db.ts';
import { log } from '../src/platform/log.ts';
import { cloneDatabase } from './database.ts';
import { writeDemoGame } from './demo.ts';
import { captured, delivered, first, opened } from './facts.ts';
import { givenPlacedOrder, nothingFollows, type OrderKey } from './orders.ts';

/** A database with one site and one game, without servers. */
export async function openPromotionsDb({ connectionsMax = 5 } = {}) {
  log.level = 'silent';
  const database = await cloneDatabase();
  const db = database.open(connectionsMax);
  await db.transaction(async (tx) => {
    await writeDemoGame(tx, 'http://localhost:1');
    await tx.run(sql`
      insert into sites
        (id, domain_type, title, brand_id, portal_url, game_id, currency, locales, methods, countries)
      values ('solmere', 0, 'Omni', 'omni', 'http://localhost:2', 'solmere', 'USD',
              ${locales}, ${['card', 'epoint']}, ${['US']})`);
  });
  const close = async () => {
    await db.close();
    await database.drop();
  };
  return { db, close };
}

const hourMs = 60 * 60_000;
export const hoursFromNow = (hours: number) => new Date(Date.now() + hours * hourMs);

interface RuleChanges {
  kind?: string;
  itemId?: string | null;
  quantity?: bigint | null;
  percent?: number | null;
  firstPurchase?: 'of_item' | 'of_any' | null;
  packsMax?: number | null;
  startsAt?: Date;
  endsAt?: Date | null;
  newAccountDays?: number | null;
  countries?: string[] | null;
  languages?: string[] | null;
  hasBought?: boolean | null;
  accounts?: string[] | null;
}

/** Inserts a rule that doubles every pack of the site, unless changed. */
export async function givenGiftRule(db: Db, ruleId: string, changes: RuleChanges = {}) {
  const rule = {
    kind: 'item',
    itemId: null,
    quantity: null,
    percent: 100,
    firstPurchase: null,
    packsMax: null,
    startsAt: hoursFromNow(-1),
    endsAt: null,
    newAccountDays: null,
    countries: null,
    languages: null,
    hasBought: null,
    accounts: null,
    ...changes,
  };
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into gift_rules
        (id, site_id, kind, item_id, gift_quantity, gift_percent, first_purchase, packs_max, starts_at,
         ends_at, new_account_days, countries, languages, has_bought, is_listed)
      values (${ruleId}, 'solmere', ${rule.kind}, ${rule.itemId}, ${rule.quantity}, ${rule.percent},
              ${rule.firstPurchase}, ${rule.packsMax}, ${rule.startsAt}, ${rule.endsAt},
              ${rule.newAccountDays}, ${rule.countries}, ${rule.languages}, ${rule.hasBought},
              ${rule.accounts !== null})`);
    for (const accountId of rule.accounts ?? []) {
      await tx.run(sql`
        insert into gift_rule_accounts (rule_id, account_id) values (${ruleId}, ${accountId})`);
    }
  });
}

/** Removes the promotions of a test. */
export async function forgetPromotions(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from gift_rule_accounts`);
    await tx.run(sql`delete from gift_rules`);
    // Campaigns with participants cannot be deleted, so they are ended.
    await tx.run(sql`
      update rebate_campaigns
      set starts_at = now() - interval '400 days', ends_at = now() - interval '300 days'`);
  });
}

interface CampaignChanges {
  kind?: string;
  gameId?: string | null;
  currency?: string;
  startsAt?: Date;
  endsAt?: Date;
  /** Threshold in minor units and points. */
  tiers?: readonly (readonly [bigint, bigint])[];
}

/** Inserts a campaign from an hour ago to an hour ahead: 50 points from 5 USD, 120 more from 10. */
export async function givenCampaign(
  db: Db,
  campaignId: string,
  changes: CampaignChanges = {},
): Promise<string> {
  const campaign = {
    kind: 'item',
    gameId: null,
    currency: 'USD',
    startsAt: hoursFromNow(-1),
    endsAt: hoursFromNow(1),
    ...changes,
  };
  const { tiers = [[500n, 50n] as const, [1000n, 120n] as const] } = changes;
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into rebate_campaigns
        (id, site_id, kind, game_id, name, currency, starts_at, ends_at, present_days)
      values (${campaignId}, 'solmere', ${campaign.kind}, ${campaign.gameId},
              ${JSON.stringify({ 'en-US': 'Harvest', 'de-DE': 'Ernte' })}, ${campaign.currency},
              ${campaign.startsAt}, ${campaign.endsAt}, 30)`);
    for (const [index, [fromMinor, points]] of tiers.entries()) {
      await tx.run(sql`
        insert into rebate_tiers (campaign_id, tier, from_minor, present_points)
        values (${campaignId}, ${index + 1}, ${fromMinor}, ${points})`);
    }
  });
  return campaignId;
}

const effects = { ...nothingFollows, onKept: countForRebates };

export async function learn(db: Db, key: OrderKey, facts: readonly Fact[]): Promise<void> {
  await db.transaction((tx) => recordFacts(tx, effects, key, facts));
}

/** The facts of a payment of this amount. */
export const paid = (amountMinor: bigint): Fact[] => [
  opened(first),
  captured(first, { amountMinor }),
];

/** A paid and delivered order with this price. */
export async function givenArrived(
  db: Db,
  order: NonNullable<Parameters<typeof givenPlacedOrder>[1]> & { amountMinor: bigint },
): Promise<OrderKey> {
  const { key } = await givenPlacedOrder(db, order);
  await learn(db, key, [...paid(order.amountMinor), delivered]);
  return key;
}

const StepRow = z.object({
  campaign_id: z.string(),
  tier: z.int(),
  step: z.int(),
  kind: z.string(),
  payment_id: z.uuid(),
  progress_before_minor: z.bigint(),
  progress_after_minor: z.bigint(),
});

/** All credit steps of an account, oldest first. */
export async function stepsOf(db: Db, accountId: string) {
  return await db.many(
    StepRow,
    sql`
      select * from rebate_credit_steps where account_id = ${accountId}
      order by at, campaign_id, tier, step`,
  );
}

const Sum = z.object({ sum: z.bigint() });

export async function progressOf(db: Db, accountId: string): Promise<bigint> {
  const { sum } = await db.one(
    Sum,
    sql`
      select coalesce(sum(change_minor), 0)::bigint as sum from rebate_counts
      where account_id = ${accountId}`,
  );
  return sum;
}
