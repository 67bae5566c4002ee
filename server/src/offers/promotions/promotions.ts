import type { Locale } from '@pointgate/contract/locales.ts';
import { type Money, pointsUnit } from '@pointgate/contract/money.ts';
import type { PointGift } from '@pointgate/contract/points.ts';
import type { RebateCampaign } from '@pointgate/contract/promotions.ts';
import { z } from 'zod';
import { keyOf, type Order, type OrderIntent } from '../../money/orders/orders.ts';
import { givenAs, givePoints, keepGiven } from '../../money/points/given.ts';
import { lockAccountWallet } from '../../money/points/points.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { textIn } from '../../platform/local-text.ts';
import type { UnusableRow } from '../../platform/readable-rows.ts';
import type { PurchaseCondition, PurchaseDraft } from '../conditions/conditions.ts';
import {
  claimScopeOf,
  type GiftDecision,
  type GiftItem,
  type GiftPlayer,
  type GiftRule,
  giftFor,
} from './gift-rules.ts';
import {
  type ClaimKey,
  holdClaimAgain,
  insertClaim,
  lockFirstPurchase,
  releaseClaim,
  releaseClosedClaims,
  selectAllGiftRules,
  selectClaim,
  selectGiftPlayer,
  selectGiftRules,
} from './gifts.queries.ts';
import type { GiftRulesFor } from './kept-gift-rules.ts';
import {
  type Credit,
  type CreditStep,
  creditSteps,
  nextTier,
  type Tier,
  tiersShown,
} from './rebate-tiers.ts';
import {
  type CampaignRow,
  type CountedCampaign,
  insertCount,
  insertCredit,
  insertCreditStep,
  type ParticipantKey,
  selectAllCampaigns,
  selectCampaignsAt,
  selectCampaignsShown,
  selectCounted,
  selectCreditSteps,
  selectCredits,
  selectEarned,
  selectProgress,
  selectTiers,
} from './rebates.queries.ts';

/** The player, site and kind that a gift decision is made for. */
interface GiftAsker {
  accountId: string;
  siteId: string;
  kind: 'item' | 'points';
  /** Two-letter code, or null if unknown. */
  country: string | null;
  language: string;
}

/** The gift of each pack at this moment. Not binding: placing the order decides. */
export async function previewGifts(
  db: Db,
  asker: GiftAsker,
  items: readonly GiftItem[],
  rulesFor: GiftRulesFor = (key) => selectGiftRules(db, key),
): Promise<Map<string, GiftDecision>> {
  const now = new Date();
  const rules = await rulesFor({ ...asker, now });
  // Without rules the player data is not needed, which is the usual case.
  const player = rules.length > 0 ? await playerOf(db, asker) : nobody;
  return new Map(items.map((item) => [item.itemId, giftFor(item, player, rules, now)]));
}

const nobody: GiftPlayer = {
  createdAt: new Date(0),
  country: null,
  language: '',
  bought: [],
  listedIn: [],
};

/** The input of a gift decision besides the order. */
interface GiftDraft extends PurchaseDraft, Pick<GiftAsker, 'country' | 'language'> {
  /** The regular bonus per pack. */
  bonusQuantity: bigint;
}

/**
 * An order gets the gift that applies at the moment it is placed. Concurrent first purchases are
 * serialized, so one of them gets the gift.
 */
export const giftCondition: PurchaseCondition<GiftDraft> = {
  name: 'gift',
  decide: decideGift,
  hold: async (tx, order) => {
    const {
      account_id: accountId,
      payment_id: paymentId,
      site_id: siteId,
      item_id: itemId,
    } = order;
    const rule = ClaimingRule.nullable().parse(order.snapshot.gift?.rule ?? null);
    const scope = claimScopeOf(rule, itemId);
    if (rule === null || scope === null) return;
    await insertClaim(tx, { accountId, paymentId, siteId, itemId, scope, ruleId: rule.ruleId });
  },
  takeAgain: (tx, order) => takeFirstPurchaseAgain(tx, keyOf(order)),
  onRefund: { after: ['not_provided'], giveBack: (tx, order) => releaseClaim(tx, keyOf(order)) },
};

/** The part of the gift rule in the snapshot of an order that a claim needs. */
const ClaimingRule = z.object({
  ruleId: z.string(),
  firstPurchase: z.enum(['of_item', 'of_any']).nullable(),
});

async function decideGift(
  tx: Tx,
  { intent, bonusQuantity, country, language }: GiftDraft,
): Promise<OrderIntent> {
  const { accountId, siteId, kind, itemId, packCount } = intent;
  const asker = { accountId, siteId, kind, country, language };
  const now = new Date();
  const rules = await selectGiftRules(tx, { ...asker, now });
  if (rules.some(({ firstPurchase }) => firstPurchase !== null)) {
    await lockFirstPurchase(tx, accountId);
    await releaseClosedClaims(tx, accountId);
  }
  const quantity = BigInt(intent.snapshot.quantity);
  const item = { itemId, quantity, bonusQuantity, packCount };
  const player = await playerOf(tx, asker);
  const decision = giftFor(item, player, rules, now);
  const giftQuantity = decision.quantity.toString();
  const gift = termsOf(decision, { item, player, now });
  return { ...intent, snapshot: { ...intent.snapshot, giftQuantity, gift } };
}

/**
 * Claims the gift again for an order that was closed and then paid late. False if another order has
 * claimed the same first purchase by now; true for an order without such a claim.
 */
async function takeFirstPurchaseAgain(tx: Tx, key: ClaimKey): Promise<boolean> {
  const claim = await selectClaim(tx, key);
  if (claim === undefined) return true;
  await lockFirstPurchase(tx, key.accountId);
  await releaseClosedClaims(tx, key.accountId);
  return await holdClaimAgain(tx, key);
}

async function playerOf(db: Db | Tx, asker: GiftAsker): Promise<GiftPlayer> {
  const { created_at: createdAt, bought, listed_in } = await selectGiftPlayer(db, asker);
  const { country, language } = asker;
  return { createdAt, bought, listedIn: listed_in, country, language };
}

/** The inputs of the decision as JSON, so that it can be reproduced later. */
function termsOf(
  { reason, rule, verdicts }: GiftDecision,
  { item, player, now }: { item: GiftItem; player: GiftPlayer; now: Date },
) {
  return {
    decisionId: newId(),
    reason,
    decidedAt: now.toISOString(),
    rule: rule === null ? null : ruleTerms(rule),
    verdicts,
    inputs: {
      quantity: item.quantity.toString(),
      bonusQuantity: item.bonusQuantity.toString(),
      packCount: item.packCount,
      accountCreatedAt: player.createdAt.toISOString(),
      country: player.country,
      language: player.language,
      bought: [...player.bought],
      listedIn: [...player.listedIn],
    },
  };
}

function ruleTerms(rule: GiftRule) {
  return {
    ...rule,
    giftQuantity: rule.giftQuantity?.toString() ?? null,
    startsAt: rule.startsAt.toISOString(),
    endsAt: rule.endsAt?.toISOString() ?? null,
  };
}

/**
 * Counts the amount that remains paid of an order towards the campaigns at its payment time, in the
 * transaction that changes the order. Tiers reached are earned once and credit their points; tiers
 * no longer reached are taken back with their points. Idempotent. If a campaign applies, it locks
 * only the wallet, which serializes the orders of an account.
 */
export async function countForRebates(tx: Tx, order: Order, keptMinor: bigint): Promise<void> {
  const { paid_at: paidAt, currency } = order;
  // An order paid in E Points earns nothing, because the purchase of the points has been counted.
  if (paidAt === null || currency === pointsUnit) return;
  const campaigns = await selectCampaignsAt(tx, {
    siteId: order.site_id,
    kind: order.kind,
    gameId: order.game_id,
    currency,
    at: paidAt,
    accountId: order.account_id,
    paymentId: order.payment_id,
  });
  if (campaigns.length > 0) await lockAccountWallet(tx, order.account_id);
  for (const campaign of campaigns) await countIn(tx, campaign, { order, keptMinor });
}

async function countIn(
  tx: Tx,
  campaign: CountedCampaign,
  { order, keptMinor }: { order: Order; keptMinor: bigint },
): Promise<void> {
  const key = { accountId: order.account_id, campaignId: campaign.id };
  const paymentId = order.payment_id;
  const counted = await selectCounted(tx, { ...key, paymentId });
  const changeMinor = keptMinor - counted.keptMinor;
  if (changeMinor === 0n) return;
  const progressBeforeMinor = await selectProgress(tx, key);
  const progressAfterMinor = progressBeforeMinor + changeMinor;
  await insertCount(tx, { ...key, paymentId, seq: counted.seq + 1, changeMinor, keptMinor });

  const tiers = await selectTiers(tx, campaign.id);
  const cause = { paymentId, progressBeforeMinor, progressAfterMinor };
  for (const step of creditSteps(tiers, await selectCredits(tx, key), progressAfterMinor)) {
    const taken = { ...key, ...cause, kind: step.kind };
    if (step.kind === 'earned') await earn(tx, campaign, { taken, tier: step.tier });
    else await moveCredit(tx, step.kind, { taken, credit: step.credit });
  }
}

type StepTaken = Omit<Parameters<typeof insertCreditStep>[1], 'tier' | 'step'>;

async function earn(
  tx: Tx,
  { present_days: days }: CountedCampaign,
  { taken, tier }: { taken: StepTaken; tier: Tier },
): Promise<void> {
  const { accountId, campaignId } = taken;
  const creditId = newId();
  const credit = { accountId, campaignId, ...tier, creditId, presentDays: days };
  await insertCredit(tx, credit);
  await insertCreditStep(tx, { ...taken, tier: tier.tier, step: 1 });
  const { presentPoints: points } = tier;
  await givePoints(tx, { accountId, originId: creditId, reason: 'rebate', points, days });
}

async function moveCredit(
  tx: Tx,
  kind: 'taken_back' | 'restored',
  { taken, credit }: { taken: StepTaken; credit: Credit },
): Promise<void> {
  const { tier, creditId, presentPoints } = credit;
  const step = credit.steps + 1;
  await insertCreditStep(tx, { ...taken, tier, step });
  await keepGiven(tx, {
    accountId: taken.accountId,
    originId: creditId,
    posting: `step:${step}`,
    points: kind === 'restored' ? presentPoints : 0n,
  });
}

/** The reasons of the player's gift points; other ids are left out. */
export async function giftsOf(
  db: Db,
  asked: { accountId: string; giftIds: readonly string[] },
  locale: Locale,
): Promise<PointGift[]> {
  const { accountId, giftIds } = asked;
  const gifts = await givenAs(db, { accountId, originIds: giftIds });
  const earned = await selectEarned(db, { accountId, creditIds: giftIds });
  return gifts.map(({ originId: giftId, reason }) => {
    const rebate = earned.find(({ credit_id }) => credit_id === giftId);
    const campaignName = rebate === undefined ? null : textIn(rebate.name, locale);
    return { giftId, reason, campaignName, paymentId: rebate?.payment_id ?? null };
  });
}

/** The campaigns of a site with the progress of this player. */
export async function rebateCampaigns(
  db: Db,
  asked: { accountId: string; siteId: string; kind: 'item' | 'points'; gameId: string | null },
  locale: Locale,
): Promise<RebateCampaign[]> {
  const campaigns = await selectCampaignsShown(db, { ...asked, now: new Date() });
  return await Promise.all(
    campaigns.map((campaign) =>
      campaignShown(db, campaign, {
        key: { accountId: asked.accountId, campaignId: campaign.id },
        locale,
      }),
    ),
  );
}

/**
 * The rebate points, by item, that buying one of it now would earn; items that earn none are left
 * out. Not binding: delivered orders decide.
 */
export async function previewRebates(
  db: Db,
  asker: { accountId: string; siteId: string; kind: 'item' | 'points'; gameId: string | null },
  items: readonly { itemId: string; price: Money }[],
): Promise<Map<string, bigint>> {
  const now = new Date();
  const shown = await selectCampaignsShown(db, { ...asker, now });
  const earned = new Map<string, bigint>();
  for (const { id: campaignId, currency } of shown.filter(({ ends_at }) => ends_at > now)) {
    const key = { accountId: asker.accountId, campaignId };
    const [tiers, credits, progressMinor] = await Promise.all([
      selectTiers(db, campaignId),
      selectCredits(db, key),
      selectProgress(db, key),
    ]);
    for (const { itemId, price } of items) {
      if (price.currency !== currency) continue;
      const steps = creditSteps(tiers, credits, progressMinor + price.amountMinor);
      const points = steps.reduce((sum, step) => sum + pointsOf(step), 0n);
      if (points > 0n) earned.set(itemId, (earned.get(itemId) ?? 0n) + points);
    }
  }
  return earned;
}

/** A purchase causes only earned and restored steps, never one that takes points back. */
function pointsOf(step: CreditStep): bigint {
  return step.kind === 'earned' ? step.tier.presentPoints : step.credit.presentPoints;
}

async function campaignShown(
  db: Db,
  campaign: CampaignRow,
  { key, locale }: { key: ParticipantKey; locale: Locale },
): Promise<RebateCampaign> {
  const [tiers, credits, progressMinor, steps] = await Promise.all([
    selectTiers(db, campaign.id),
    selectCredits(db, key),
    selectProgress(db, key),
    selectCreditSteps(db, key),
  ]);
  const shown = tiersShown(tiers, credits);
  return {
    campaignId: campaign.id,
    name: textIn(campaign.name, locale),
    startsAt: campaign.starts_at.toISOString(),
    endsAt: campaign.ends_at.toISOString(),
    currency: campaign.currency,
    presentDays: campaign.present_days,
    progressMinor,
    tiers: shown,
    nextTier: nextTier(shown, progressMinor),
    history: steps.map((step) => ({
      tier: step.tier,
      kind: step.kind,
      presentPoints: step.present_points,
      paymentId: step.payment_id,
      progressBeforeMinor: step.progress_before_minor,
      progressAfterMinor: step.progress_after_minor,
      at: step.at.toISOString(),
    })),
  };
}

export async function unusablePromotions(db: Db): Promise<UnusableRow[]> {
  const [rules, campaigns] = [await selectAllGiftRules(db), await selectAllCampaigns(db)];
  return [...rules.unusable, ...campaigns.unusable];
}
