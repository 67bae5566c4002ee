import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { packThumb } from '../../shared/ui/art.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Coin } from '../../shared/ui/coin.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import type { PointBalance } from '../session/point-balance.ts';
import { usePointBalance } from '../session/use-point-balance.ts';
import { PayFailure } from './pay-failure.tsx';
import { Shortage } from './shortage.tsx';
import { useStanding } from './use-standing.ts';
import './points-dialog.css';

export interface PointsPayment {
  points: bigint;
  /** The goods and the recipient. */
  goods: string;
  recipient: string;
  art: string;
  error: unknown;
  isBusy: boolean;
  onPay: () => void;
}

interface PointsDialogProps extends PointsPayment {
  onClose: () => void;
}

/**
 * Confirms a payment with E Points, because there is no provider page that asks again. Shows the
 * balance before and after the payment.
 */
export function PointsDialog({ onClose, ...payment }: PointsDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { points, goods, recipient, art, error, isBusy, onPay } = payment;
  const { kind, balance } = useStanding(points);
  const isShort = kind === 'short' || kind === 'debt';
  const close = () => {
    if (!isBusy) onClose();
  };
  return (
    <Modal name="pay-points" title={t('points.payTitle')} onClose={close} size="small">
      <div className="points-goods">
        <img {...packThumb(art)} width={56} height={56} alt="" />
        <div>
          <strong>{goods}</strong>
          <p>{recipient}</p>
        </div>
      </div>
      {balance === null ? <BalanceWait /> : <Sum balance={balance} points={points} />}
      {error !== null && !isShort && <PayFailure error={error} method="epoint" />}
      <div className="points-actions">
        {isShort ? (
          <Shortage balance={balance} points={points} />
        ) : (
          <Button
            kind="primary"
            name="pay-points"
            disabled={balance === null}
            isBusy={isBusy}
            onClick={onPay}
          >
            {t('recharge.pay', { amount: format.points(points) })}
          </Button>
        )}
        <Button kind="ghost" disabled={isBusy} onClick={close}>
          {t('global.cancel')}
        </Button>
      </div>
    </Modal>
  );
}

function Sum({ balance, points }: { balance: PointBalance; points: bigint }) {
  const { t } = useTranslation();
  const format = useFormat();
  const after = BigInt(balance.total) - points;
  return (
    <dl className="points-sum">
      <div>
        <dt>{t('points.now')}</dt>
        <dd>{format.number(balance.total)}</dd>
      </div>
      {balance.frozen > 0 && (
        <div>
          <dt>{t('points.frozen')}</dt>
          <dd>{format.number(balance.frozen)}</dd>
        </div>
      )}
      <div>
        <dt>{t('points.thisOrder')}</dt>
        <dd>{format.number(-points)}</dd>
      </div>
      {after >= 0n && (
        <div className="points-after">
          <dt>{t('points.after')}</dt>
          <dd>
            <Coin size={22} />
            {format.number(after)}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A placeholder with the height of the sum. */
function BalanceWait() {
  const { t } = useTranslation();
  const { isError, error, refetch } = usePointBalance();
  if (!isError) return <div className="skeleton points-sum-skeleton" aria-hidden="true" />;
  return (
    <>
      <Alert title={t('points.balanceFailed')}>
        <p>{errorText(t, error)}</p>
      </Alert>
      <Button kind="secondary" onClick={() => void refetch()}>
        {t('global.retry')}
      </Button>
    </>
  );
}
