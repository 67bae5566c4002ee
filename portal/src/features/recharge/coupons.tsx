import type { Price } from '@pointgate/contract/money.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';
import type { CouponChoice } from './use-coupons.ts';
import './coupons.css';

const CouponSheet = lazyComponent(async () => (await import('./coupon-sheet.tsx')).CouponSheet);

interface CouponButtonProps {
  /** A line of the order panel, or a chip in the bottom bar. */
  look: 'line' | 'chip';
  coupons: CouponChoice;
  /** The price in the unit of the payment method. */
  price: Price;
  isBusy: boolean;
}

/** Shows the discount or the number of coupons, and opens the list of coupons. */
export function CouponButton({ look, coupons, price, isBusy }: CouponButtonProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { options, chosen, failed } = coupons;
  if (failed !== null) return <CouponsFailed {...failed} />;
  const usable = options.filter(({ refusal }) => refusal === null).length;
  const { currency } = price;
  return (
    <>
      <button
        type="button"
        className={`coupon-button ${look}`}
        data-chosen={chosen !== null || undefined}
        aria-haspopup="dialog"
        disabled={isBusy}
        onClick={() => setIsOpen(true)}
      >
        {look === 'chip' && <TicketPercent size={18} aria-hidden="true" />}
        <span className="visually-hidden">{t('order.coupon')}, </span>
        <span>
          {chosen === null
            ? t(usable === 0 ? 'coupons.noneUsable' : 'coupons.count', { count: usable })
            : format.price({ amountMinor: -chosen.discountMinor, currency })}
        </span>
        {look === 'line' && <ChevronRight size={16} aria-hidden="true" />}
      </button>
      {/* A portal, because the sheet would inherit the styles of the line. */}
      {isOpen &&
        createPortal(
          <CouponSheet coupons={coupons} currency={currency} onClose={() => setIsOpen(false)} />,
          document.body,
        )}
    </>
  );
}

/** The error of the coupon list, which does not block the purchase. */
function CouponsFailed({ isReading, retry }: { isReading: boolean; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <p className="coupons-failed" role="status">
      {t('coupons.failed')}
      <button type="button" disabled={isReading} onClick={retry}>
        {t('global.retry')}
      </button>
    </p>
  );
}
