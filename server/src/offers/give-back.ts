import type { RefundReason } from '@pointgate/contract/orders.ts';
import { keyOf, type Order } from '../money/orders/orders.ts';
import type { Tx } from '../platform/db.ts';
import { giveBackCoupon } from './coupons/coupons.ts';
import { giveBackFirstPurchase } from './promotions/promotions.ts';
import { giveBackQuota } from './quotas/quotas.ts';

interface Rule {
  /** The packs no longer count against a purchase limit. */
  quota: boolean;
  coupon: boolean;
  /** The player is entitled to first-purchase gifts again. */
  firstPurchase: boolean;
}

const everything: Rule = { quota: true, coupon: true, firstPurchase: true };
const nothing: Rule = { quota: false, coupon: false, firstPurchase: false };
const quotaOnly: Rule = { ...nothing, quota: true };

/**
 * The entitlements that a player regains after a full refund, by refund reason. A failure of the
 * shop costs the player nothing. Rebates are not listed, because they depend on the kept money.
 */
const rules: Readonly<Record<RefundReason, Rule>> = {
  declined_by_game: everything,
  not_delivered_in_time: everything,
  late_and_gone: everything,
  over_limit: everything,
  // A goodwill refund restores the purchase limit, but the coupon stays used.
  goodwill: quotaOnly,
  operator: quotaOnly,
  // A player who asked for the refund or disputed the payment regains nothing.
  player_request: nothing,
  fraud: nothing,
  elsewhere: nothing,
  chargeback: nothing,
  // Refunds of additional payments do not concern the order.
  duplicate: nothing,
  misfit: nothing,
};

/** Runs in the transaction that makes an order refunded. Idempotent. */
export async function giveBack(
  tx: Tx,
  order: Order,
  reasons: readonly RefundReason[],
): Promise<void> {
  const key = keyOf(order);
  const isGiven = (what: keyof Rule) => reasons.some((reason) => rules[reason][what]);
  // The same lock order as when they are taken, to avoid deadlocks.
  if (isGiven('firstPurchase')) await giveBackFirstPurchase(tx, key);
  if (isGiven('coupon')) await giveBackCoupon(tx, key);
  if (isGiven('quota')) await giveBackQuota(tx, key);
}
