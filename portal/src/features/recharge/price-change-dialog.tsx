import ArrowRight from 'lucide-react/icons/arrow-right';
import { useTranslation } from 'react-i18next';
import { PayFailure } from '../../entities/payment/pay-failure.tsx';
import { useFormat } from '../../shared/i18n/format.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { PriceText } from '../../shared/ui/price-text.tsx';
import type { PriceBreakdown } from './price-breakdown.ts';
import type { OfferChange } from './use-checkout.ts';
import './price-change-dialog.css';

/** Asks for a confirmation of a changed offer: old and new price side by side. */
export function PriceChangeDialog(change: OfferChange) {
  const { t } = useTranslation();
  const { before, now, unit, isOtherUnit, method, error, isBusy, onAccept, onDecline } = change;
  const decline = () => {
    if (!isBusy) onDecline();
  };
  return (
    <Modal name="price-changed" title={t('priceChange.title')} onClose={decline} size="small">
      <p>{t(isOtherUnit ? 'priceChange.otherUnit' : 'priceChange.text')}</p>
      <div className="price-change">
        <BreakdownCard title={t('priceChange.before')} breakdown={before} unit={unit} />
        <ArrowRight size={20} aria-hidden="true" />
        <BreakdownCard title={t('priceChange.now')} breakdown={now} unit={unit} isNow />
      </div>
      {before.discountMinor > 0n && now.discountMinor === 0n && !isOtherUnit && (
        <p className="deal-note">{t('priceChange.couponKept')}</p>
      )}
      {error !== null && <PayFailure error={error} method={method} />}
      <div className="points-actions">
        {!isOtherUnit && (
          <Button kind="primary" name="accept-price" isBusy={isBusy} onClick={onAccept}>
            {t('priceChange.accept')}
          </Button>
        )}
        <Button kind={isOtherUnit ? 'secondary' : 'ghost'} disabled={isBusy} onClick={decline}>
          {t('priceChange.decline')}
        </Button>
      </div>
    </Modal>
  );
}

interface BreakdownCardProps {
  title: string;
  breakdown: PriceBreakdown;
  unit: string;
  isNow?: boolean;
}

function BreakdownCard({ title, breakdown, unit, isNow = false }: BreakdownCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { price, discountMinor, quantity, giftQuantity } = breakdown;
  return (
    <section className="deal" aria-label={title} data-now={isNow || undefined}>
      <h3>{title}</h3>
      <p className="deal-price">
        <PriceText price={price} coinSize={20} />
      </p>
      {discountMinor > 0n && (
        <p className="deal-coupon">
          {t('priceChange.coupon', {
            amount: format.price({ ...price, amountMinor: -discountMinor }),
          })}
        </p>
      )}
      <p className="deal-goods">
        {format.number(quantity)} {unit}
      </p>
      <p className="deal-gift">
        {giftQuantity === 0n
          ? t('priceChange.noGift')
          : t('recharge.bonus', { amount: format.number(giftQuantity) })}
      </p>
    </section>
  );
}
