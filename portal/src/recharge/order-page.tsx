import ChevronLeft from 'lucide-react/icons/chevron-left';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { KeyArt } from '../ui/hero.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderStatus } from './order-status.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { useOrder } from './use-order.ts';
import './order-page.css';

export function OrderPage({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const live = useOrder(paymentId);
  return (
    <main className="order-page" id="main">
      <KeyArt />
      <div className="order-body">
        <header className="order-head">
          <Link className="order-back" to="/main/recharge">
            <ChevronLeft size={18} aria-hidden="true" />
            {t('nav.recharge')}
          </Link>
          <h1>{t('order.title')}</h1>
        </header>
        <OrderStatus {...live} />
        <OrderFacts order={live.order} />
        <OrderTimeline steps={live.order.timeline} />
      </div>
    </main>
  );
}

export function OrderSkeleton() {
  return (
    <div className="order-page" aria-hidden="true">
      <KeyArt />
      <div className="order-body">
        <div className="order-head" />
        <div className="skeleton order-status-skeleton" />
        <div className="skeleton order-facts-skeleton" />
      </div>
    </div>
  );
}
