import type { Price } from '@pointgate/contract/money.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';
import { later } from '../ui/later.tsx';
import type { CouponChoice } from './use-coupons.ts';
import './coupons.css';

const CouponSheet = later(async () => (await import('./coupon-sheet.tsx')).CouponSheet);

interface CouponButtonProps {
  /** A line of the order panel, or a chip in the bar at the thumb. */
  look: 'line' | 'chip';
  coupons: CouponChoice;
  /** What is bought, as it is paid for. */
  price: Price;
  isBusy: boolean;
}

/** What the coupon takes off, or how many there are; opens the list of them. */
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
      {/* Out of the line that it was opened from, whose look it would take on. */}
      {isOpen &&
        createPortal(
          <CouponSheet coupons={coupons} currency={currency} onClose={() => setIsOpen(false)} />,
          document.body,
        )}
    </>
  );
}

/** Not in the way of buying: without its list, everything costs what it costs. */
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
