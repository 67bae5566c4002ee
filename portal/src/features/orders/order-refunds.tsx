import type { OrderDetail, OrderRefund } from '@pointgate/contract/orders.ts';
import type { LucideIcon } from 'lucide-react';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Clock from 'lucide-react/icons/clock';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import './order-refunds.css';

const icons: Record<OrderRefund['state'], LucideIcon> = {
  pending: Clock,
  done: CircleCheck,
  failed: CircleX,
};

/** The refunds of an order: amount, reason and state. */
export function OrderRefunds({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  const headingId = useId();
  if (order.refunds.length === 0) return null;
  return (
    <section className="order-refunds" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('refund.title')}</h2>
      <ul>
        {order.refunds.map((refund) => (
          <Refund key={refund.refundId} refund={refund} />
        ))}
      </ul>
    </section>
  );
}

function Refund({ refund }: { refund: OrderRefund }) {
  const { t } = useTranslation();
  const format = useFormat();
  const Icon = icons[refund.state];
  return (
    <li data-state={refund.state}>
      <p className="refund-head">
        <strong>{format.price(refund)}</strong>
        <span className="refund-state">
          <Icon size={16} aria-hidden="true" />
          {t(`refund.state.${refund.state}`)}
        </span>
      </p>
      <p>{t(`refund.reason.${refund.reason}`)}</p>
      {refund.state === 'failed' && <p className="refund-failed">{t('refund.failedNote')}</p>}
      <time dateTime={refund.at}>{format.dateTime(refund.at)}</time>
    </li>
  );
}

/** Shown while the bank of the payer decides on a dispute. */
export function DisputeNotice({ order }: { order: OrderDetail }) {
  const { t } = useTranslation();
  if (!order.isDisputed) return null;
  return (
    <Notice tone="warn" title={t('order.disputed')}>
      <p>{t(order.kind === 'points' ? 'order.disputedPoints' : 'order.disputedText')}</p>
    </Notice>
  );
}
