import type { GiftReason } from '@pointgate/contract/promotions.ts';

/** A pack that a player is about to buy. */
export interface GiftItem {
  itemId: string;
  /** Per pack: the bought quantity and the regular bonus. */
  quantity: bigint;
  bonusQuantity: bigint;
  packCount: number;
}

/** The player data that rules ask for. A condition on unknown data is not met. */
export interface GiftPlayer {
  createdAt: Date;
  country: string | null;
  language: string;
  /** The items that were bought, or for which an open order holds a first-purchase gift. */
  bought: readonly string[];
  /** The rules whose account list has this player. */
  listedIn: readonly string[];
}

export interface GiftRule {
  ruleId: string;
  itemId: string | null;
  giftQuantity: bigint | null;
  giftPercent: number | null;
  firstPurchase: 'of_item' | 'of_any' | null;
  packsMax: number | null;
  startsAt: Date;
  endsAt: Date | null;
  newAccountDays: number | null;
  countries: readonly string[] | null;
  languages: readonly string[] | null;
  hasBought: boolean | null;
  isListed: boolean;
}

/** `won`, or why the rule gave nothing; `outdone` means that another rule gave more. */
type Verdict =
  | 'won'
  | 'outdone'
  | 'other_item'
  | 'not_started'
  | 'over'
  | 'too_many_packs'
  | 'not_first'
  | 'account_too_old'
  | 'other_country'
  | 'other_language'
  | 'has_bought'
  | 'has_not_bought'
  | 'not_listed';

export interface GiftDecision {
  /** Per pack. */
  quantity: bigint;
  /** Null if there is no gift. */
  reason: GiftReason | null;
  /** Null if the gift is the regular bonus. */
  rule: GiftRule | null;
  verdicts: { ruleId: string; verdict: Verdict }[];
}

/**
 * The largest gift wins, and the regular bonus is one of the candidates: no rule ever leaves a
 * player with less. Gifts do not add up. Between equal gifts the smaller rule id wins, so that
 * every decision has the same result.
 */
export function giftFor(
  item: GiftItem,
  player: GiftPlayer,
  rules: readonly GiftRule[],
  now: Date,
): GiftDecision {
  const judged = rules
    .map((rule) => ({
      rule,
      quantity: quantityOf(rule, item),
      refusal: refusalOf(rule, { item, player, now }),
    }))
    .toSorted((one, other) => (one.rule.ruleId < other.rule.ruleId ? -1 : 1));
  const winner = judged
    .filter(({ refusal, quantity }) => refusal === null && quantity > item.bonusQuantity)
    .reduce<(typeof judged)[number] | null>(
      (best, other) => (best === null || other.quantity > best.quantity ? other : best),
      null,
    );
  const quantity = winner?.quantity ?? item.bonusQuantity;
  return {
    quantity,
    reason: winner === null ? bonusReason(quantity) : reasonOf(winner.rule),
    rule: winner?.rule ?? null,
    verdicts: judged.map((one) => ({
      ruleId: one.rule.ruleId,
      verdict: one.refusal ?? (one === winner ? 'won' : 'outdone'),
    })),
  };
}

/** The scope under which an order claims a first-purchase gift, or null for other gifts. */
export function claimScopeOf(
  rule: Pick<GiftRule, 'firstPurchase'> | null,
  itemId: string,
): string | null {
  if (rule === null || rule.firstPurchase === null) return null;
  return rule.firstPurchase === 'of_any' ? '*' : itemId;
}

function bonusReason(quantity: bigint): GiftReason | null {
  return quantity > 0n ? 'bonus' : null;
}

/** Rounded down to whole units. */
function quantityOf({ giftQuantity, giftPercent }: GiftRule, { quantity }: GiftItem): bigint {
  return giftQuantity ?? (quantity * BigInt(giftPercent ?? 0)) / 100n;
}

const dayMs = 24 * 60 * 60_000;

/** Valid from the start inclusive to the end exclusive. The first unmet condition is reported. */
function refusalOf(
  rule: GiftRule,
  { item, player, now }: { item: GiftItem; player: GiftPlayer; now: Date },
): Verdict | null {
  if (rule.itemId !== null && rule.itemId !== item.itemId) return 'other_item';
  if (now < rule.startsAt) return 'not_started';
  if (rule.endsAt !== null && now >= rule.endsAt) return 'over';
  if (rule.packsMax !== null && item.packCount > rule.packsMax) return 'too_many_packs';
  if (!isFirst(rule, item, player)) return 'not_first';
  return segmentRefusal(rule, player, now);
}

function isFirst({ firstPurchase }: GiftRule, { itemId }: GiftItem, { bought }: GiftPlayer) {
  if (firstPurchase === null) return true;
  return firstPurchase === 'of_any' ? bought.length === 0 : !bought.includes(itemId);
}

function segmentRefusal(rule: GiftRule, player: GiftPlayer, now: Date): Verdict | null {
  const { newAccountDays, countries, languages, hasBought } = rule;
  if (
    newAccountDays !== null &&
    now.getTime() - player.createdAt.getTime() >= newAccountDays * dayMs
  ) {
    return 'account_too_old';
  }
  if (countries !== null && (player.country === null || !countries.includes(player.country))) {
    return 'other_country';
  }
  if (languages !== null && !languages.includes(player.language)) return 'other_language';
  if (hasBought === true && player.bought.length === 0) return 'has_not_bought';
  if (hasBought === false && player.bought.length > 0) return 'has_bought';
  return rule.isListed && !player.listedIn.includes(rule.ruleId) ? 'not_listed' : null;
}

/** The reason shown to the player is the most specific condition of the rule. */
function reasonOf(rule: GiftRule): GiftReason {
  if (rule.firstPurchase === 'of_any') return 'first_purchase';
  if (rule.firstPurchase === 'of_item') return 'first_purchase_of_item';
  const { newAccountDays, countries, languages, hasBought, isListed } = rule;
  const isForSome = [newAccountDays, countries, languages, hasBought].some((some) => some !== null);
  if (isForSome || isListed) return 'for_you';
  return rule.endsAt === null ? 'bonus' : 'limited_time';
}
