import type { OrderSummary } from '@pointgate/contract/orders.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { quantityOf } from './order-text.ts';
import './order-goods.css';

/** The goods of an order and their gift. */
export function OrderGoods({ order }: { order: OrderSummary }) {
  const { t } = useTranslation();
  const format = useFormat();
  const goods = quantityOf(format, order, order.quantity);
  if (order.giftQuantity === 0n) return goods;
  const amount = format.number(order.giftQuantity);
  return (
    <>
      {goods} <span className="fact-gift">{t('recharge.bonus', { amount })}</span>
    </>
  );
}
