import { type OrderDetail, recordLabels } from '@pointgate/contract/orders.ts';
import Copy from 'lucide-react/icons/copy';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';
import { showToast } from '../ui/toast.tsx';

export function OrderFacts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const headingId = useId();
  const facts: [label: string, value: ReactNode][] = [
    [t('order.number'), <OrderNumber key="number" paymentId={order.paymentId} />],
    [t('order.record'), t(recordLabels[order.record])],
    [t('order.method'), t(`methods.${order.method}`)],
    [t('order.account'), order.gameAccountId],
    [t('order.game'), order.gameName],
    [t('order.server'), order.serverName],
    [t('order.role'), order.roleName],
    [t('order.item'), <Goods key="item" order={order} />],
    [t('order.amount'), <strong key="amount">{format.money(order)}</strong>],
    [t('order.time'), format.dateTime(order.createdAt)],
  ];
  return (
    <section className="order-facts" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('order.details')}</h2>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Goods({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const goods = `${format.number(order.quantity)} ${order.unit}`;
  if (order.giftQuantity === 0n) return goods;
  const amount = format.number(order.giftQuantity);
  return (
    <>
      {goods} <span className="fact-gift">{t('recharge.bonus', { amount })}</span>
    </>
  );
}

function OrderNumber({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const copy = async () => {
    await navigator.clipboard.writeText(paymentId);
    showToast(t('order.copied'));
  };
  return (
    <span className="order-number">
      <code>{paymentId}</code>
      <button type="button" onClick={() => void copy()} aria-label={t('order.copy')}>
        <Copy size={16} aria-hidden="true" />
      </button>
    </span>
  );
}
