import { type AccountRange, accountsIn, accountValues } from './account-ranges.ts';
import type { Query } from './database.ts';
import type { Violation } from './invariant.ts';

// I7 for orders with a coupon: the amount is the original price less the discount of the coupon's
// terms, and no coupon is used by two orders. Orders with coupons are few, so only those are read.

/** Every order that held a coupon, with the terms of the coupon. */
const usesOf = (accounts: AccountRange) => `
  select account_id, payment_id, uses.coupon_id, released_at, state, orders.amount_minor,
         orders.currency, snapshot -> 'coupon' as coupon, snapshot #>> '{coupon,couponId}' as named,
         (snapshot #>> '{coupon,priceBeforeMinor}')::numeric as price,
         (snapshot #>> '{coupon,discountMinor}')::numeric as discount, basis_points,
         terms.amount_minor as off, cap_minor, minimum_minor, terms.currency as only_currency
  from coupon_uses as uses join orders using (account_id, payment_id)
    left join coupons using (account_id, coupon_id)
    left join coupon_templates as terms on terms.id = template_id
  where ${accountsIn('uses.account_id', accounts)}`;

const unlikePrices = (uses: string) => `
  select format('order %s costs %s, its coupon leaves %s of %s', payment_id, amount_minor,
                price - should, price)
  from (${uses}) as uses, lateral (
    select least(coalesce(off, div(price * basis_points, 10000)), cap_minor, price - 1) as should
  ) as terms
  where should is distinct from discount or amount_minor is distinct from price - discount
     or discount <= 0 or price < minimum_minor or currency <> only_currency
     or currency = 'EPOINT'`;

const unlikeCoupons = (uses: string) => `
  select format('order %s holds coupon %s and says %s', payment_id, coupon_id,
                coalesce(named, 'none'))
  from (${uses}) as uses where named is distinct from coupon_id::text`;

/**
 * Coupons used by more than one order. An order that was paid after its coupon was released is
 * refunded or stuck, and does not count.
 */
const usedTwice = (uses: string) => `
  select format('coupon %s was used by %s orders', coupon_id, count(*))
  from (${uses}) as uses where state in ('paid', 'arrived')
  group by account_id, coupon_id having count(*) > 1`;

const unlikeHolds = (uses: string) => `
  select format('order %s is %s and its coupon %s', payment_id, state,
                case when released_at is null then 'is held' else 'was given back' end)
  from (${uses}) as uses
  where (state = 'closed' and released_at is null)
     or (state in ('created', 'paying', 'paid', 'arrived') and released_at is not null)`;

export async function checkCoupons(query: Query, accounts: AccountRange): Promise<Violation[]> {
  const uses = usesOf(accounts);
  const queries = [unlikePrices, unlikeCoupons, usedTwice, unlikeHolds];
  const found = await Promise.all(
    queries.map((unlike) => query(unlike(uses), accountValues(accounts))),
  );
  return found.flat().map(([text = '']) => ({ id: 'I7', text }));
}
