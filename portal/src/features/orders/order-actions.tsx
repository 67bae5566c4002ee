import type { OrderDetail } from '@pointgate/contract/orders.ts';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { moneyNote } from '../../entities/payment/money-note.ts';
import { PointsPayButton } from '../../entities/payment/points-pay.tsx';
import { usePayOrder } from '../../entities/payment/use-pay.ts';
import { useUser } from '../../entities/session/session.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { goodsOf, isHeldForReview, recipientOf } from './order-text.ts';

interface OrderActionsProps {
  order: OrderDetail;
  isReading: boolean;
  refresh: () => void;
}

export function OrderActions({ order, isReading, refresh }: OrderActionsProps) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  const { shown } = order;
  return (
    <div className="order-actions">
      {order.method === 'epoint' ? (
        <PayFromBalance order={order} />
      ) : (
        <PayAtProvider order={order} />
      )}
      {shown === 'PaymentFailed' && (
        <ButtonLink kind="primary" name="resubmit" to={addresses.recharge(sameAgain(order))}>
          {t('order.resubmit')}
        </ButtonLink>
      )}
      {(shown === 'Paid' || shown === 'Fulfilled' || shown === 'Refunded') && (
        <>
          <ButtonLink
            kind={shown === 'Fulfilled' ? 'primary' : 'secondary'}
            name="top-up-again"
            to={addresses.recharge({ target: 'game', gameId: order.gameId })}
          >
            {t(order.kind === 'points' ? 'order.topUpGame' : 'order.topUpAgain')}
          </ButtonLink>
          <ButtonLink kind="secondary" to={addresses.account}>
            {t('order.personalCenter')}
          </ButtonLink>
        </>
      )}
      <Button kind="ghost" name="refresh" onClick={refresh}>
        <RefreshCw size={16} aria-hidden="true" data-turning={isReading || undefined} />
        {t('global.refresh')}
      </Button>
    </div>
  );
}

function PayAtProvider({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const payment = usePayOrder();
  const isUnpaid = order.shown === 'Unpaid';
  const canContinue =
    order.shown === 'Processing' && order.paidAt === null && !isHeldForReview(order);
  return (
    <>
      {payment.failure !== null && (
        <Alert title={errorText(t, payment.failure.error)}>
          <p>{t(moneyNote(payment.failure.error, order.method))}</p>
        </Alert>
      )}
      {(isUnpaid || canContinue) && (
        <Button
          kind={isUnpaid ? 'primary' : 'secondary'}
          name="pay"
          isBusy={payment.isBusy}
          onClick={() => payment.pay(order)}
        >
          {isUnpaid
            ? t('recharge.pay', { amount: format.price(order) })
            : t('order.continuePayment')}
        </Button>
      )}
    </>
  );
}

function PayFromBalance({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { displayName } = useUser();
  const payment = usePayOrder();
  if (order.shown !== 'Unpaid') return null;
  return (
    <PointsPayButton
      points={order.amountMinor}
      goods={goodsOf(format, order)}
      recipient={recipientOf(order) || (displayName ?? '')}
      art={order.itemArt}
      error={payment.failure?.error ?? null}
      isBusy={payment.isBusy}
      onPay={() => payment.pay(order)}
    >
      {t('recharge.pay', { amount: format.price(order) })}
    </PointsPayButton>
  );
}

function sameAgain({ kind, itemId, gameId }: OrderDetail) {
  return { target: kind === 'points' ? 'epoint' : 'game', itemId, gameId } as const;
}
