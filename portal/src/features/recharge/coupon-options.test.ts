import type { Coupon } from '@pointgate/contract/coupons.ts';
import { expect, test } from 'vitest';
import { couponOptionsOf } from './coupon-options.ts';

const now = Date.parse('2026-11-15T10:00:00.000Z');
const orderId = '00000000-0000-4000-8000-000000000001';

function givenCoupon(couponId: string, other: Partial<Coupon> = {}): Coupon {
  return {
    couponId,
    name: couponId,
    terms: {
      basisPoints: 1000,
      amountMinor: null,
      currency: null,
      capMinor: null,
      minimumMinor: null,
      kind: null,
      gameIds: null,
      itemIds: null,
    },
    issuedAt: '2026-11-01T10:00:00.000Z',
    startsAt: '2026-11-01T10:00:00.000Z',
    expiresAt: null,
    state: 'usable',
    paymentId: null,
    refusal: null,
    ...other,
  };
}

function optionsOf(coupons: Coupon[], kept: string | null = null) {
  const options = couponOptionsOf(coupons, {
    purchase: {
      kind: 'item',
      gameId: 'solmere',
      itemId: 'shards_300',
      price: { amountMinor: 499n, currency: 'USD' },
    },
    now,
    keptPaymentId: () => kept,
  });
  return options.map(({ coupon, discountMinor, refusal }) => [
    coupon.couponId,
    discountMinor ?? refusal,
  ]);
}

test('the coupon list of the top-up page is sorted by discount, and coupons that cannot be used come last', () => {
  const half = { ...givenCoupon('x').terms, basisPoints: 5000 };
  const large = { ...givenCoupon('x').terms, minimumMinor: 1000n, currency: 'USD' as const };
  expect(
    optionsOf([
      givenCoupon('large orders', { terms: large }),
      givenCoupon('a tenth'),
      givenCoupon('other game', { refusal: 'CouponNotForThis' }),
      givenCoupon('half', { terms: half }),
    ]),
  ).toEqual([
    ['half', 249n],
    ['a tenth', 49n],
    ['large orders', 'CouponBelowMinimum'],
    ['other game', 'CouponNotForThis'],
  ]);
});

test('the coupon list of the top-up page leaves out used and expired coupons', () => {
  const used = givenCoupon('used', { state: 'used', refusal: 'CouponUsed', paymentId: orderId });
  const over = givenCoupon('over', { state: 'expired', refusal: 'CouponExpired' });
  expect(optionsOf([used, over])).toEqual([]);
});

test('the coupon list of the top-up page refuses a coupon as expired from the moment of its expiresAt', () => {
  const at = new Date(now).toISOString();
  expect(optionsOf([givenCoupon('ends', { expiresAt: at })])).toEqual([['ends', 'CouponExpired']]);
  const later = new Date(now + 1).toISOString();
  expect(optionsOf([givenCoupon('lives', { expiresAt: later })])).toEqual([['lives', 49n]]);
});

test('a coupon reserved by an unpaid order is usable on the top-up page for that order only', () => {
  const held = givenCoupon('held', {
    state: 'held',
    refusal: 'CouponUsed',
    paymentId: orderId,
    expiresAt: new Date(now - 1).toISOString(),
  });
  expect(optionsOf([held], orderId)).toEqual([['held', 49n]]);
  expect(optionsOf([{ ...held, expiresAt: null }])).toEqual([['held', 'CouponUsed']]);
  expect(optionsOf([{ ...held, expiresAt: null }], 'another')).toEqual([['held', 'CouponUsed']]);
});
