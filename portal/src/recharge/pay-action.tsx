import { pointsUnit } from '@pointgate/contract/money.ts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { useFormat } from '../i18n/format.ts';
import { moneyNote } from '../payment/money-note.ts';
import { PointsPayButton } from '../payment/points-pay.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { totalOf } from './gift-text.ts';
import type { Checkout } from './use-checkout.ts';
import '../payment/pay-blocker.css';

/** The one gold button, with what stands in its way. */
export function PayAction(props: Checkout & { label: string }) {
  const { blocker } = props;
  const reasonId = useId();
  const describedBy = blocker === null ? undefined : reasonId;
  return (
    <div className="pay-action">
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
    </div>
  );
}

type ActionProps = Checkout & { label: string; describedBy: string | undefined };

function PayAtProvider({ label, describedBy, ...props }: ActionProps) {
  const { t } = useTranslation();
  const { blocker, error, method, isBusy, onPay } = props;
  return (
    <>
      {error !== null && (
        <Alert title={errorText(t, error)}>
          <p>{t(moneyNote(error, method))}</p>
        </Alert>
      )}
      <Button
        kind="primary"
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
  const { pack, price, recipient, blocker, error, isBusy, onPay } = props;
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
      describedBy={describedBy}
    >
      {label}
    </PointsPayButton>
  );
}
