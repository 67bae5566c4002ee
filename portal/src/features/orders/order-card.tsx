import type { OrderSummary } from '@pointgate/contract/orders.ts';
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useUser } from '../../entities/session/session.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { packThumb } from '../../shared/ui/art.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { TimeLeft } from '../../shared/ui/time-left.tsx';
import { useIsMobile } from '../../shared/ui/use-media-query.ts';
import { OrderChip } from './order-chip.tsx';
import { OrderGoods } from './order-goods.tsx';
import { OrderNumber } from './order-number.tsx';
import { recipientOf } from './order-text.ts';
import './order-card.css';

interface OrderCardProps {
  order: OrderSummary;
  /** Whether this order is the next to be paid: it has the primary button. */
  isNext: boolean;
}

/** One order of the record. The whole card links to the order page. */
export function OrderCard({ order, isNext }: OrderCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const addresses = useAddresses();
  const { paymentId, shown, itemArt, itemName, createdAt, expireAt } = order;
  const address = addresses.order(paymentId);
  return (
    <li className="order-card" data-status={shown}>
      <img className="order-card-art" {...packThumb(itemArt)} width={72} height={72} alt="" />
      <div className="order-card-what">
        <Link className="order-card-link" to={address} title={itemName}>
          <OrderGoods order={order} />
        </Link>
        <p className="order-card-when">
          <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
        </p>
        <p className="order-card-chip">
          <OrderChip shown={shown} />
        </p>
      </div>
      <div className="order-card-money">
        <p className="order-card-amount">{format.price(order)}</p>
        <p className="order-card-method">{t(`methods.${order.method}`)}</p>
        <RefundedPart order={order} />
      </div>
      {shown === 'Unpaid' && (
        <div className="order-card-pay">
          {expireAt !== null && <TimeLeft words="orders.timeLeft" until={expireAt} />}
          <ButtonLink kind={isNext ? 'primary' : 'secondary'} to={address}>
            {t('orders.pay', { amount: format.price(order) })}
          </ButtonLink>
        </div>
      )}
      <CardFacts order={order} />
    </li>
  );
}

/** The refunded part of an order. A full refund is shown by the status instead. */
function RefundedPart({ order }: { order: OrderSummary }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { refundedMinor, currency, shown } = order;
  if (refundedMinor === 0n || shown === 'Refunded') return null;
  const amount = format.price({ amountMinor: refundedMinor, currency });
  return <p className="order-card-refunded">{t('orders.refundedPart', { amount })}</p>;
}

/** The details of the order, collapsed on phones, where they would fill the screen. */
function CardFacts({ order }: { order: OrderSummary }) {
  const { t } = useTranslation();
  const isMobile = useIsMobile();
  const facts = useCardFacts(order);
  const list = (
    <dl className="order-card-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
  if (!isMobile) return list;
  return (
    <details className="order-card-details">
      <summary>
        <span>{recipientOf(order) || t('orders.details')}</span>
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      {list}
    </details>
  );
}

function useCardFacts(order: OrderSummary): [label: string, value: ReactNode][] {
  const { t } = useTranslation();
  const { userId } = useUser();
  const facts: [label: string, value: ReactNode][] = [
    [t('order.game'), order.gameName],
    [t('order.server'), order.serverName],
    [t('order.role'), order.roleName],
    [t('order.account'), order.gameAccountId ?? userId],
    [t('order.type.label'), t(`order.type.${order.orderType}`)],
    [t('order.number'), <OrderNumber key="number" paymentId={order.paymentId} />],
  ];
  // E Points are credited to the account: there is no game, server and role.
  return facts.filter(([, value]) => value !== null);
}
