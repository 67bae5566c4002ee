import type { CheckoutDraft } from '../checkout/checkout.ts';
import type { PurchaseCondition } from '../offers/conditions/conditions.ts';
import { couponCondition } from '../offers/coupons/coupons.ts';
import { giftCondition } from '../offers/promotions/promotions.ts';
import { quotaCondition } from '../offers/quotas/quotas.ts';
import { spendingLimits } from '../offers/spending-limits/spending-limits.ts';
import type { PeopleContext } from '../people/real-names/real-names.ts';

/** All conditions of a purchase, in lock order. */
export function conditionsOf(people: PeopleContext): readonly PurchaseCondition<CheckoutDraft>[] {
  return [spendingLimits(people), giftCondition, couponCondition, quotaCondition];
}
