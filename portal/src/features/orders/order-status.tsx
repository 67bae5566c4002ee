import type { OrderDetail } from '@pointgate/contract/orders.ts';
import Clock from 'lucide-react/icons/clock';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { packArt } from '../../shared/ui/art.ts';
import { CountUp } from './count-up.tsx';
import { Countdown } from './countdown.tsx';
import { OrderActions } from './order-actions.tsx';
import { goodsOf, isHeldForReview, quantityOf, statusLabels, statusText } from './order-text.ts';
import { statusIcons } from './status-icons.ts';
import './order-status.css';

interface OrderStatusProps {
  order: OrderDetail;
  readAt: number;
  nextReadingMs: number | false;
  isReading: boolean;
  refresh: () => void;
}

/** The status of the order and the actions of the player. */
export function OrderStatus({ order, isReading, refresh, ...reading }: OrderStatusProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isHeld = isHeldForReview(order);
  const Icon = isHeld ? Clock : statusIcons[order.shown];
  return (
    <section className="order-status" data-status={order.shown} data-held={isHeld || undefined}>
      <div className="order-stage" aria-hidden="true">
        <img {...packArt(order.itemArt)} sizes="168px" width={384} height={384} alt="" />
        {order.shown === 'Fulfilled' && <span className="order-sweep" />}
      </div>
      <div className="order-state">
        {/* Always rendered, so that screen readers announce its changes. */}
        <div role="status">
          <p className="order-word">
            <Icon size={20} aria-hidden="true" />
            {t(statusLabels[order.shown])}
          </p>
          <p className="order-goods">
            {order.shown === 'Fulfilled' ? (
              <CountUp
                to={order.quantity + order.giftQuantity}
                inWords={(quantity) => quantityOf(format, order, quantity)}
              />
            ) : (
              goodsOf(format, order)
            )}
          </p>
          <p className="order-text">
            {t(statusText(order), { role: order.roleName, goods: goodsOf(format, order) })}
          </p>
        </div>
        <OrderWait {...reading} order={order} isHeld={isHeld} />
        <OrderActions order={order} isReading={isReading} refresh={refresh} />
      </div>
    </section>
  );
}

interface OrderWaitProps extends Pick<OrderStatusProps, 'order' | 'readAt' | 'nextReadingMs'> {
  isHeld: boolean;
}

/** The countdown of an unpaid order, the progress of polling, or the note of a delayed delivery. */
function OrderWait({ order, readAt, nextReadingMs, isHeld }: OrderWaitProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { shown, nextDeliveryAt, promisedAt } = order;
  if (shown === 'Unpaid' && order.expireAt !== null) return <Countdown to={order.expireAt} />;
  if (shown === 'Processing' && !isHeld && nextReadingMs !== false) {
    return (
      // The bar fills once per poll, so that the player sees progress.
      <div className="order-poll" key={readAt} aria-hidden="true">
        <span style={{ animationDuration: `${nextReadingMs}ms` }} />
      </div>
    );
  }
  const isHeldUp = order.isDeliveryDelayed || nextDeliveryAt !== null;
  if (shown !== 'Paid' || !isHeldUp) return null;
  return (
    <div className="order-note">
      <p>{t('order.delayedNote')}</p>
      {nextDeliveryAt !== null && (
        <p>{t('order.nextTryNote', { time: format.dateTime(nextDeliveryAt) })}</p>
      )}
      {promisedAt !== null && (
        <p>{t('order.promiseNote', { time: format.dateTime(promisedAt) })}</p>
      )}
    </div>
  );
}
