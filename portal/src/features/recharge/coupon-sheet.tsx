import { type PriceUnit, pointsUnit } from '@pointgate/contract/money.ts';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Modal } from '../../shared/ui/modal.tsx';
import type { CouponOption } from './coupon-options.ts';
import { useCouponText } from './use-coupon-text.ts';
import type { CouponChoice } from './use-coupons.ts';

interface CouponSheetProps {
  coupons: CouponChoice;
  /** The currency of the payment. */
  currency: PriceUnit;
  onClose: () => void;
}

/** All coupons; those that cannot be used show the reason. */
export function CouponSheet({ coupons, currency, onClose }: CouponSheetProps) {
  const { t } = useTranslation();
  const { options, chosen, onChoose } = coupons;
  const choose = (couponId: string | null) => {
    onChoose(couponId);
    onClose();
  };
  return (
    <Modal name="coupons" title={t('coupons.title')} onClose={onClose}>
      {currency === pointsUnit && <p className="coupons-note">{t('coupons.notForPoints')}</p>}
      <ul className="coupons">
        {options.map((option) => (
          <li key={option.coupon.couponId}>
            <CouponCard
              option={option}
              currency={currency}
              isChosen={option.coupon.couponId === chosen?.coupon.couponId}
              onChoose={choose}
            />
          </li>
        ))}
        <li>
          <button
            type="button"
            className="coupon-none"
            aria-current={chosen === null || undefined}
            onClick={() => choose(null)}
          >
            {t('coupons.useNone')}
            {chosen === null && <Check size={20} aria-hidden="true" />}
          </button>
        </li>
      </ul>
    </Modal>
  );
}

interface CouponCardProps {
  option: CouponOption;
  currency: PriceUnit;
  isChosen: boolean;
  onChoose: (couponId: string) => void;
}

function CouponCard({ option, currency, isChosen, onChoose }: CouponCardProps) {
  const format = useFormat();
  const text = useCouponText();
  const { coupon, discountMinor } = option;
  const value = text.value(coupon.terms);
  const face = (
    <>
      <span className="coupon-value" data-long={value.length > 8 || undefined}>
        {value}
      </span>
      <span className="coupon-about">
        <span className="coupon-name">{coupon.name}</span>
        {text.conditions(coupon).map((condition) => (
          <small key={condition}>{condition}</small>
        ))}
        {option.refusal === null ? (
          <span className="coupon-gain">
            {format.price({ amountMinor: -option.discountMinor, currency })}
          </span>
        ) : (
          <span className="coupon-refusal">{text.refusal(option, currency)}</span>
        )}
      </span>
      {isChosen && <Check size={20} aria-hidden="true" />}
    </>
  );
  if (discountMinor === null) return <Unusable option={option}>{face}</Unusable>;
  return (
    <button
      type="button"
      className="coupon"
      aria-current={isChosen || undefined}
      onClick={() => onChoose(coupon.couponId)}
    >
      {face}
    </button>
  );
}

function Unusable({ option, children }: { option: CouponOption; children: ReactNode }) {
  const { t } = useTranslation();
  const { order } = useAddresses();
  const { state, paymentId } = option.coupon;
  return (
    <div className="coupon" data-unusable>
      {children}
      {state === 'held' && paymentId !== null && (
        <Link className="coupon-order" to={order(paymentId)}>
          {t('redeem.order')}
        </Link>
      )}
    </div>
  );
}
