import type { Price } from '@pointgate/contract/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keptCouponId, keptPaymentId, type Wish } from '../payment/order-intent.ts';
import { useNowAt } from '../ui/use-now.ts';
import { type CouponOption, couponOptionsOf } from './coupon-options.ts';
import type { Goods } from './deal.ts';
import { couponsQuery, momentsOfCoupons } from './recharge-queries.ts';

export interface CouponChoice {
  options: readonly CouponOption[];
  /** Always one that takes something off. */
  chosen: (CouponOption & { refusal: null }) | null;
  onChoose: (couponId: string | null) => void;
  /** The list could not be had. */
  failed: { isReading: boolean; retry: () => void } | null;
}

interface Purchase {
  itemId: string;
  price: Price;
  /** Without a coupon. */
  plainWish: Wish | null;
}

/** The player's coupons for these goods; none is used unless the player chooses it. */
export function useCoupons(goods: Goods): (purchase: Purchase) => CouponChoice | null {
  const { data, isError, isFetching, refetch } = useQuery(couponsQuery(goods));
  // Back from the provider's page or after a reload, the same order is gone on with.
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
