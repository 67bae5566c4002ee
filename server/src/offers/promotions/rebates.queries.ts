import { Currency } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { ShownText } from '../../platform/local-text.ts';
import { readRows } from '../../platform/readable-rows.ts';
import type { Credit, Tier } from './rebate-tiers.ts';

const CampaignRow = z.object({
  id: z.string(),
  name: ShownText,
  currency: z.enum(Currency.def.entries),
  starts_at: z.date(),
  ends_at: z.date(),
  present_days: z.int().nullable(),
});
export type CampaignRow = z.output<typeof CampaignRow>;

const campaignTable = { table: 'rebate_campaigns', key: ['id'], row: CampaignRow };

/** Only the columns needed for counting, so that an unreadable name cannot fail a payment. */
const CountedCampaign = z.object({ id: z.string(), present_days: z.int().nullable() });
export type CountedCampaign = z.output<typeof CountedCampaign>;

/**
 * The campaigns that a payment at this moment counts for, including ended ones. An order that was
 * counted in a campaign stays counted, even if the window was moved since.
 */
export function selectCampaignsAt(
  tx: Tx,
  paid: {
    siteId: string;
    kind: string;
    gameId: string | null;
    currency: string;
    at: Date;
    accountId: string;
    paymentId: string;
  },
): Promise<CountedCampaign[]> {
  return tx.many(
    CountedCampaign,
    sql`
      select id, present_days from rebate_campaigns
      where site_id = ${paid.siteId} and kind = ${paid.kind} and currency = ${paid.currency}
          and (game_id is null or game_id = ${paid.gameId})
          and starts_at <= ${paid.at} and ends_at > ${paid.at}
        or id in (
          select campaign_id from rebate_counts
          where account_id = ${paid.accountId} and payment_id = ${paid.paymentId}
        )
      order by id limit 50`,
  );
}

/** The campaigns that have started, shown until thirty days after their end. */
export async function selectCampaignsShown(
  db: Db,
  shown: { siteId: string; kind: string; gameId: string | null; now: Date },
): Promise<CampaignRow[]> {
  const { rows } = await readRows(
    db,
    campaignTable,
    sql`
      select * from rebate_campaigns
      where site_id = ${shown.siteId} and kind = ${shown.kind}
        and (game_id is null or game_id = ${shown.gameId})
        and starts_at <= ${shown.now} and ends_at > ${shown.now}::timestamptz - interval '30 days'
      order by ends_at, id limit 20`,
  );
  return rows;
}

/** The shown campaigns of every site, and the rows that cannot be read. */
export function selectAllCampaigns(db: Db) {
  return readRows(
    db,
    campaignTable,
    sql`
      select * from rebate_campaigns
      where ends_at > now() - interval '30 days' order by id limit 10000`,
  );
}

const TierRow = z.object({ tier: z.int(), from_minor: z.bigint(), present_points: z.bigint() });

export async function selectTiers(db: Db | Tx, campaignId: string): Promise<Tier[]> {
  const rows = await db.many(
    TierRow,
    sql`select * from rebate_tiers where campaign_id = ${campaignId} order by from_minor limit 100`,
  );
  return rows.map((row) => ({
    tier: row.tier,
    fromMinor: row.from_minor,
    presentPoints: row.present_points,
  }));
}

export interface ParticipantKey {
  accountId: string;
  campaignId: string;
}

const isParticipant = ({ accountId, campaignId }: ParticipantKey) =>
  sql`account_id = ${accountId} and campaign_id = ${campaignId}`;

export async function selectProgress(db: Db | Tx, key: ParticipantKey): Promise<bigint> {
  const { progress_minor } = await db.one(
    z.object({ progress_minor: z.bigint() }),
    sql`
      select coalesce(sum(change_minor), 0)::bigint as progress_minor from rebate_counts
      where ${isParticipant(key)}`,
  );
  return progress_minor;
}

/** The number of times the order was counted, and its current contribution. */
export async function selectCounted(tx: Tx, key: ParticipantKey & { paymentId: string }) {
  const row = await tx.maybeOne(
    z.object({ seq: z.int(), kept_minor: z.bigint() }),
    sql`
      select seq, kept_minor from rebate_counts
      where ${isParticipant(key)} and payment_id = ${key.paymentId} order by seq desc limit 1`,
  );
  return { seq: row?.seq ?? 0, keptMinor: row?.kept_minor ?? 0n };
}

export async function insertCount(
  tx: Tx,
  count: ParticipantKey & {
    paymentId: string;
    seq: number;
    changeMinor: bigint;
    keptMinor: bigint;
  },
): Promise<void> {
  await tx.run(sql`
    insert into rebate_counts
      (account_id, campaign_id, payment_id, seq, change_minor, kept_minor)
    values (${count.accountId}, ${count.campaignId}, ${count.paymentId}, ${count.seq},
            ${count.changeMinor}, ${count.keptMinor})`);
}

const CreditRow = TierRow.extend({ credit_id: z.uuid(), steps: z.int() });

export async function selectCredits(db: Db | Tx, key: ParticipantKey): Promise<Credit[]> {
  const rows = await db.many(
    CreditRow,
    sql`
      select tier, credit_id, from_minor, present_points, count(step)::int as steps
      from rebate_credits join rebate_credit_steps using (account_id, campaign_id, tier)
      where ${isParticipant(key)}
      group by tier, credit_id, from_minor, present_points order by tier`,
  );
  return rows.map((row) => ({
    tier: row.tier,
    creditId: row.credit_id,
    fromMinor: row.from_minor,
    presentPoints: row.present_points,
    steps: row.steps,
  }));
}

/** Fails if the tier has been earned before. */
export async function insertCredit(
  tx: Tx,
  credit: ParticipantKey & Tier & { creditId: string; presentDays: number | null },
): Promise<void> {
  await tx.run(sql`
    insert into rebate_credits
      (account_id, campaign_id, tier, credit_id, from_minor, present_points, present_days)
    values (${credit.accountId}, ${credit.campaignId}, ${credit.tier}, ${credit.creditId},
            ${credit.fromMinor}, ${credit.presentPoints}, ${credit.presentDays})`);
}

export async function insertCreditStep(
  tx: Tx,
  step: ParticipantKey & {
    tier: number;
    step: number;
    kind: 'earned' | 'taken_back' | 'restored';
    paymentId: string;
    progressBeforeMinor: bigint;
    progressAfterMinor: bigint;
  },
): Promise<void> {
  await tx.run(sql`
    insert into rebate_credit_steps
      (account_id, campaign_id, tier, step, kind, payment_id, progress_before_minor,
       progress_after_minor)
    values (${step.accountId}, ${step.campaignId}, ${step.tier}, ${step.step}, ${step.kind},
            ${step.paymentId}, ${step.progressBeforeMinor}, ${step.progressAfterMinor})`);
}

const EarnedRow = z.object({ credit_id: z.uuid(), name: ShownText, payment_id: z.uuid() });

/** The campaign of each credit and the order that first reached it. */
export async function selectEarned(
  db: Db,
  key: { accountId: string; creditIds: readonly string[] },
) {
  const { rows } = await readRows(
    db,
    { ...campaignTable, row: EarnedRow },
    sql`
      select rebate_campaigns.id, credit_id, name, payment_id
      from rebate_credits
        join rebate_credit_steps using (account_id, campaign_id, tier)
        join rebate_campaigns on rebate_campaigns.id = campaign_id
      where account_id = ${key.accountId} and credit_id = any(${key.creditIds}::uuid[]) and step = 1`,
  );
  return rows;
}

const StepRow = z.object({
  tier: z.int(),
  kind: z.enum(['earned', 'taken_back', 'restored']),
  present_points: z.bigint(),
  payment_id: z.uuid(),
  progress_before_minor: z.bigint(),
  progress_after_minor: z.bigint(),
  at: z.date(),
});

/** Newest first. */
export function selectCreditSteps(db: Db, key: ParticipantKey) {
  return db.many(
    StepRow,
    sql`
      select tier, kind, present_points, payment_id, progress_before_minor, progress_after_minor, at
      from rebate_credit_steps join rebate_credits using (account_id, campaign_id, tier)
      where ${isParticipant(key)} order by at desc, step desc, tier desc limit 100`,
  );
}
