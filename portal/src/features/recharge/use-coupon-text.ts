import type { Coupon, CouponTerms } from '@pointgate/contract/coupons.ts';
import type { PriceUnit } from '@pointgate/contract/money.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import type { CouponOption } from './coupon-options.ts';

/** The texts of coupons. */
export function useCouponText() {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (amountMinor: bigint, { currency }: CouponTerms) =>
    currency === null ? '' : format.price({ amountMinor, currency });

  /** The value in large type: a percentage or an amount. */
  const value = (terms: CouponTerms): string => {
    if (terms.amountMinor !== null) return money(-terms.amountMinor, terms);
    const percent = new Intl.NumberFormat(currentLocale(), {
      style: 'percent',
      maximumFractionDigits: 2,
    });
    return percent.format(-(terms.basisPoints ?? 0) / 10_000);
  };

  /** The conditions and the expiry. */
  const conditions = ({ terms, expiresAt }: Coupon): string[] => {
    const { minimumMinor, capMinor } = terms;
    return [
      minimumMinor !== null && t('coupons.from', { amount: money(minimumMinor, terms) }),
      capMinor !== null && t('coupons.upTo', { amount: money(capMinor, terms) }),
      expiresAt !== null && t('coupons.until', { time: format.dateTime(expiresAt) }),
    ].filter((text) => text !== false);
  };

  /** The reason why the coupon cannot be used. */
  const refusal = ({ coupon, refusal: code }: CouponOption, currency: PriceUnit): string => {
    const { terms, state, startsAt } = coupon;
    if (state === 'held') return t('coupons.held');
    if (code === 'CouponNotStarted') {
      return t('coupons.startsAt', { time: format.dateTime(startsAt) });
    }
    const isOtherCurrency = terms.currency !== null && terms.currency !== currency;
    if (code === 'CouponNotForThis' && isOtherCurrency) {
      return t('coupons.onlyIn', { currency: terms.currency });
    }
    return code === null ? '' : t(`errors.${code}`);
  };
  return { value, conditions, refusal };
}
