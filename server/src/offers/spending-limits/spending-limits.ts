import type { Order } from '../../money/orders/orders.ts';
import type { PeopleContext } from '../../people/real-names/real-names.ts';
import {
  checkSpending,
  lockAndCheckLaw,
  lockAndCheckSpending,
  type Purchase,
} from '../../people/real-names/spending.ts';
import type { PurchaseCondition } from '../conditions/conditions.ts';

/** The legal spending limit of a person and the player's own budget. Only payments count, so nothing is reserved. */
export function spendingLimits(people: PeopleContext): PurchaseCondition {
  return {
    name: 'spending limits',
    check: (db, { intent }) => checkSpending(db, people, intent),
    holdForPayment: (tx, order) => lockAndCheckSpending(tx, people, purchaseOf(order)),
    takeAgain: (tx, order) => lockAndCheckLaw(tx, people, purchaseOf(order)),
  };
}

function purchaseOf(order: Order): Purchase {
  const { account_id, site_id, currency, amount_minor } = order;
  return { accountId: account_id, siteId: site_id, currency, amountMinor: amount_minor };
}
