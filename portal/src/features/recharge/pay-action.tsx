import { pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PayFailure } from '../../entities/payment/pay-failure.tsx';
import { PointsPayButton } from '../../entities/payment/points-pay.tsx';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';
import { totalOf } from './gift-text.ts';
import type { Checkout } from './use-checkout.ts';
import '../../entities/payment/pay-blocker.css';

const PriceChangeDialog = lazyComponent(
  async () => (await import('./price-change-dialog.tsx')).PriceChangeDialog,
);

/** The pay button, with the reasons that block it. */
export function PayAction(props: Checkout & { label: string }) {
  const { blocker, change, error, isMethodReplaced, method } = props;
  const reasonId = useId();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Error and button may be outside of a low window.
    if (error !== null || isMethodReplaced) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [error, isMethodReplaced]);
  const describedBy = blocker === null ? undefined : reasonId;
  return (
    <div className="pay-action" ref={place}>
      {isMethodReplaced && <MethodReplaced by={method} />}
      {props.price.currency === pointsUnit ? (
        <PayFromBalance {...props} describedBy={describedBy} />
      ) : (
        <PayAtProvider {...props} describedBy={describedBy} />
      )}
      {blocker !== null && (
        <p className="pay-blocker" id={reasonId}>
          <TriangleAlert size={15} aria-hidden="true" />
          {blocker}
        </p>
      )}
      {change !== null && <PriceChangeDialog {...change} />}
    </div>
  );
}

function MethodReplaced({ by }: { by: PaymentMethod }) {
  const { t } = useTranslation();
  return (
    <Alert title={t('errors.MethodUnavailable')}>
      <p>
        {t('recharge.notCharged')} {t('recharge.otherMethod', { method: t(`methods.${by}`) })}
      </p>
    </Alert>
  );
}

type ActionProps = Checkout & { label: string; describedBy: string | undefined };

function PayAtProvider({ label, describedBy, ...props }: ActionProps) {
  const { blocker, error, method, isBusy, onPay } = props;
  return (
    <>
      {error !== null && <PayFailure error={error} method={method} />}
      <Button
        kind="primary"
        name="pay"
        disabled={blocker !== null}
        isBusy={isBusy}
        describedBy={describedBy}
        onClick={onPay}
      >
        {label}
      </Button>
    </>
  );
}

function PayFromBalance({ label, describedBy, ...props }: ActionProps) {
  const format = useFormat();
  const { pack, price, recipient, blocker, change, error, isBusy, onPay } = props;
  return (
    <PointsPayButton
      points={price.amountMinor}
      goods={`${format.number(totalOf(pack))} ${pack.unit}`}
      recipient={recipient?.name ?? ''}
      art={pack.art}
      error={error}
      isBusy={isBusy}
      onPay={onPay}
      disabled={blocker !== null}
      isInterrupted={change !== null}
      describedBy={describedBy}
    >
      {label}
    </PointsPayButton>
  );
}
