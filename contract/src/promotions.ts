import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency } from './money.ts';
import { Slug } from './names.ts';

/**
 * Why a pack has a gift: always, for the first purchase of the account, for the first purchase of
 * this pack, for selected players, or for a limited time.
 */
export const GiftReason = z.enum([
  'bonus',
  'first_purchase',
  'first_purchase_of_item',
  'for_you',
  'limited_time',
]);
export type GiftReason = z.output<typeof GiftReason>;

const RebateTier = z.strictObject({
  tier: z.int(),
  /** The amount that has to be paid within the window. */
  fromMinor: Amount,
  presentPoints: Amount,
  /** `taken_back` was reached before money was refunded. */
  state: z.enum(['open', 'earned', 'taken_back']),
});

/** Why a tier was earned or lost: the order, and the progress before and after it. */
const RebateStep = z.strictObject({
  tier: z.int(),
  kind: z.enum(['earned', 'taken_back', 'restored']),
  presentPoints: Amount,
  paymentId: z.uuid(),
  progressBeforeMinor: Amount,
  progressAfterMinor: Amount,
  at: z.iso.datetime(),
});

export const RebateCampaign = z.strictObject({
  campaignId: Slug,
  name: z.string(),
  /** Payments from `startsAt` until before `endsAt` count, once delivered. */
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  currency: Currency,
  /** How many days given points live; null if they never expire. */
  presentDays: z.nullable(z.int()),
  progressMinor: Amount,
  tiers: z.array(RebateTier),
  nextTier: z.nullable(
    z.strictObject({
      tier: z.int(),
      fromMinor: Amount,
      presentPoints: Amount,
      missingMinor: Amount,
    }),
  ),
  /** The newest first. */
  history: z.array(RebateStep),
});
export type RebateCampaign = z.output<typeof RebateCampaign>;

const reply = z.strictObject({ campaigns: z.array(RebateCampaign) });

export const rebateInfo = endpoint({
  method: 'POST',
  path: '/api/recharge/rebate/info',
  summary: 'The rebate campaigns for packs of a game, and how far the player is in each',
  access: 'player',
  body: z.strictObject({ gameId: Slug }),
  reply,
  refusals: ['ItemNotForSale'],
});

export const pointsRebateInfo = endpoint({
  method: 'POST',
  path: '/api/e-recharge/rebate/info',
  summary: 'The rebate campaigns for E Point packs, and how far the player is in each',
  access: 'player',
  body: z.strictObject({}),
  reply,
  refusals: [],
});
