import type { RefundReason } from '@pointgate/contract/orders.ts';
import { keyOf, type Order } from '../money/orders/orders.ts';
import type { Tx } from '../platform/db.ts';
import { giveBackCoupon } from './coupons/coupons.ts';
import { giveBackFirstPurchase } from './promotions/promotions.ts';
import { giveBackQuota } from './quotas/quotas.ts';

interface Rule {
  /** The packs count no more against a limit. */
  quota: boolean;
  coupon: boolean;
  /** The next purchase may be the first. */
  firstPurchase: boolean;
}

const everything: Rule = { quota: true, coupon: true, firstPurchase: true };
const nothing: Rule = { quota: false, coupon: false, firstPurchase: false };
const quotaOnly: Rule = { ...nothing, quota: true };

/**
 * What the player has again when all money of an order has gone back, by why it went. What the shop
 * could not give costs the player nothing. Rebates are not here: they follow the money by themselves.
 */
const rules: Readonly<Record<RefundReason, Rule>> = {
  declined_by_game: everything,
  not_delivered_in_time: everything,
  late_and_gone: everything,
  over_limit: everything,
  // The shop takes the goods back and means well. The price that a coupon made was had.
  goodwill: quotaOnly,
  operator: quotaOnly,
  // Whoever changes their mind, or takes the money back by themselves, has had their chance.
  player_request: nothing,
  fraud: nothing,
  elsewhere: nothing,
  chargeback: nothing,
  // Money that came beside the order's own.
  duplicate: nothing,
  misfit: nothing,
};

/** Part of the commit that makes an order refunded. Twice is once. */
export async function giveBack(
  tx: Tx,
  order: Order,
  reasons: readonly RefundReason[],
): Promise<void> {
  const key = keyOf(order);
  const isGiven = (what: keyof Rule) => reasons.some((reason) => rules[reason][what]);
  // In the order in which they are taken, so that nobody waits for each other.
  if (isGiven('firstPurchase')) await giveBackFirstPurchase(tx, key);
  if (isGiven('coupon')) await giveBackCoupon(tx, key);
  if (isGiven('quota')) await giveBackQuota(tx, key);
}
