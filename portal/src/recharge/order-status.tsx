import type { OrderDetail, ShownStatus } from '@pointgate/contract/orders.ts';
import type { LucideIcon } from 'lucide-react';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Clock from 'lucide-react/icons/clock';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import PackageCheck from 'lucide-react/icons/package-check';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Undo2 from 'lucide-react/icons/undo-2';
import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { useFormat } from '../i18n/format.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CountUp } from './count-up.tsx';
import { Countdown } from './countdown.tsx';
import { pollMs } from './recharge-queries.ts';
import { moneyNote, usePayOrder } from './use-pay.ts';
import './order-status.css';

interface OrderStatusProps {
  order: OrderDetail;
  readAt: number;
  isReading: boolean;
  refresh: () => void;
}

const icons: Record<ShownStatus, LucideIcon> = {
  Unpaid: Clock,
  Processing: LoaderCircle,
  Paid: CircleCheck,
  Fulfilled: PackageCheck,
  PaymentFailed: CircleX,
  Refunded: Undo2,
};

/** Where the order stands and what the player can do about it. */
export function OrderStatus({ order, readAt, isReading, refresh }: OrderStatusProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isHeld = isHeldForReview(order);
  const Icon = isHeld ? Clock : icons[order.shown];
  const total = order.quantity + order.giftQuantity;
  return (
    <section className="order-status" data-status={order.shown} data-held={isHeld || undefined}>
      <div className="order-stage" aria-hidden="true">
        <img
          src={`/art/${order.itemArt}-384.avif`}
          srcSet={`/art/${order.itemArt}-256.avif 256w, /art/${order.itemArt}-384.avif 384w`}
          sizes="168px"
          width={384}
          height={384}
          alt=""
        />
        {order.shown === 'Fulfilled' && <span className="order-sweep" />}
      </div>
      <div className="order-state">
        {/* Always there, so that a screen reader hears its words change. */}
        <div role="status">
          <p className="order-word">
            <Icon size={20} aria-hidden="true" />
            {t(`order.status.${order.shown}`)}
          </p>
          <p className="order-goods">
            {order.shown === 'Fulfilled' ? <CountUp to={total} /> : format.number(total)}{' '}
            {order.unit}
          </p>
          <p className="order-text">{t(statusText(order), { role: order.roleName })}</p>
        </div>
        {order.shown === 'Unpaid' && order.expireAt !== null && <Countdown to={order.expireAt} />}
        {order.shown === 'Processing' && !isHeld && (
          // Fills once for each reading, so that the wait shows that something is being done.
          <div className="order-poll" key={readAt} aria-hidden="true">
            <span style={{ animationDuration: `${pollMs}ms` }} />
          </div>
        )}
        {order.isDeliveryDelayed && order.shown === 'Paid' && (
          <p className="order-note">{t('order.delayedNote')}</p>
        )}
        <OrderActions order={order} isReading={isReading} refresh={refresh} />
      </div>
    </section>
  );
}

/** The money that came does not fit. People look at it; the player must not send more. */
function isHeldForReview({ shown, isInReview }: OrderDetail): boolean {
  return shown === 'Processing' && isInReview;
}

function statusText(order: OrderDetail) {
  if (isHeldForReview(order)) return 'order.text.review';
  if (order.shown === 'Paid' && order.isDeliveryDelayed) return 'order.text.delayed';
  if (order.shown === 'Processing' && order.status === 'FullyPaid') return 'order.text.refunding';
  if (order.closedReason === 'cancelled') return 'order.text.cancelled';
  return `order.text.${order.shown}` as const;
}

function OrderActions({ order, isReading, refresh }: Omit<OrderStatusProps, 'readAt'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const payment = usePayOrder();
  const canContinue =
    order.shown === 'Processing' && order.paidAt === null && !isHeldForReview(order);
  const canPay = order.shown === 'Unpaid' || canContinue;
  return (
    <div className="order-actions">
      {payment.failure !== null && (
        <Alert title={errorText(t, payment.failure.error)}>
          <p>{t(moneyNote(payment.failure.error))}</p>
        </Alert>
      )}
      {canPay && (
        <Button
          kind={order.shown === 'Unpaid' ? 'primary' : 'secondary'}
          isBusy={payment.isBusy}
          onClick={() => payment.pay(order.paymentId)}
        >
          {order.shown === 'Unpaid'
            ? t('recharge.pay', { amount: format.money(order) })
            : t('order.continuePayment')}
        </Button>
      )}
      {order.shown === 'PaymentFailed' && (
        <ButtonLink kind="primary" to={`/main/recharge?item=${order.itemId}`}>
          {t('order.resubmit')}
        </ButtonLink>
      )}
      {(order.shown === 'Paid' || order.shown === 'Fulfilled' || order.shown === 'Refunded') && (
        <>
          <ButtonLink
            kind={order.shown === 'Fulfilled' ? 'primary' : 'secondary'}
            to="/main/recharge"
          >
            {t('order.topUpAgain')}
          </ButtonLink>
          <ButtonLink kind="secondary" to="/main/home">
            {t('global.backHome')}
          </ButtonLink>
        </>
      )}
      <Button kind="ghost" onClick={refresh}>
        <RefreshCw size={16} aria-hidden="true" data-turning={isReading || undefined} />
        {t('global.refresh')}
      </Button>
    </div>
  );
}
