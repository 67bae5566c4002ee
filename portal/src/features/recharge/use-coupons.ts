import type { Price } from '@pointgate/contract/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  keptCouponId,
  keptPaymentId,
  type OrderRequest,
} from '../../entities/payment/order-intent.ts';
import { useNowAt } from '../../shared/ui/use-now.ts';
import { type CouponOption, couponOptionsOf } from './coupon-options.ts';
import type { Goods } from './price-breakdown.ts';
import { couponsQuery, momentsOfCoupons } from './recharge-queries.ts';

export interface CouponChoice {
  options: readonly CouponOption[];
  /** The chosen coupon, which always has a discount. */
  chosen: (CouponOption & { refusal: null }) | null;
  onChoose: (couponId: string | null) => void;
  /** Set if the list failed to load. */
  failed: { isReading: boolean; retry: () => void } | null;
}

interface Purchase {
  itemId: string;
  price: Price;
  /** The wish without a coupon. */
  plainWish: OrderRequest | null;
}

/** The coupons of the player for these goods; none is preselected. */
export function useCoupons(goods: Goods): (purchase: Purchase) => CouponChoice | null {
  const { data, isError, isFetching, refetch } = useQuery(couponsQuery(goods));
  // After a reload or a return from the provider, the coupon of the open order is selected.
  const [couponId, setCouponId] = useState(keptCouponId);
  const now = useNowAt(momentsOfCoupons(data ?? []));

  return ({ itemId, price, plainWish }) => {
    const options = couponOptionsOf(data ?? [], {
      purchase: { ...goods, itemId, price },
      now,
      keptPaymentId: (coupon) =>
        plainWish && keptPaymentId({ ...plainWish, couponId: coupon.couponId }),
    });
    const hasFailed = isError && data === undefined;
    if (options.length === 0 && !hasFailed) return null;
    const wanted = options.find(({ coupon }) => coupon.couponId === couponId);
    return {
      options,
      chosen: wanted !== undefined && wanted.refusal === null ? wanted : null,
      onChoose: setCouponId,
      failed: hasFailed ? { isReading: isFetching, retry: () => void refetch() } : null,
    };
  };
}
