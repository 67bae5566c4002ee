import type { OrderDetail } from '@pointgate/contract/orders.ts';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useUser } from '../../entities/session/session.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { OrderGoods } from './order-goods.tsx';
import { OrderHelp } from './order-help.tsx';
import { OrderNumber } from './order-number.tsx';

export function OrderFacts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const headingId = useId();
  const addresses = useAddresses();
  return (
    <section className="order-facts" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('order.details')}</h2>
      <dl>
        {useFacts(order).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {order.paidAt !== null && (
        <Link className="order-link" to={addresses.receipt(order.paymentId)}>
          <ReceiptText size={18} aria-hidden="true" />
          {t('receipt.open')}
        </Link>
      )}
      <OrderHelp paymentId={order.paymentId} />
    </section>
  );
}

type Fact = [label: string, value: ReactNode];

function useFacts(order: OrderDetail): Fact[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { userId } = useUser();
  const { giftReason } = order;
  const money = (amountMinor: bigint) => format.price({ amountMinor, currency: order.currency });
  const facts: Fact[] = [
    [t('order.number'), <OrderNumber key="number" paymentId={order.paymentId} />],
    [t('order.type.label'), t(`order.type.${order.orderType}`)],
    [t('order.method'), t(`methods.${order.method}`)],
    [t('order.account'), order.gameAccountId ?? userId],
    [t('order.game'), order.gameName],
    [t('order.server'), order.serverName],
    [t('order.role'), order.roleName],
    [t('order.item'), <OrderGoods key="item" order={order} />],
    // A plain bonus comes with every such pack and needs no explanation.
    [
      t('order.gift.why'),
      giftReason === null || giftReason === 'bonus' ? null : t(`order.gift.${giftReason}`),
    ],
    [t('order.coupon'), order.couponName],
    [
      t('order.priceBefore'),
      order.priceBeforeMinor === null ? null : money(order.priceBeforeMinor),
    ],
    [t('order.discount'), order.discountMinor === null ? null : money(-order.discountMinor)],
    [t('order.amount'), <strong key="amount">{format.price(order)}</strong>],
    [t('order.refunded'), order.refundedMinor === 0n ? null : money(order.refundedMinor)],
    [t('order.time'), format.dateTime(order.createdAt)],
  ];
  // E Points are credited to the account: there is no game, server and role.
  return facts.filter(([, value]) => value !== null);
}
