import { useTranslation } from 'react-i18next';
import { useAddresses } from '../addresses.ts';
import { BackLink } from '../ui/back-link.tsx';
import { KeyArt } from '../ui/hero.tsx';
import { OrderFacts } from './order-facts.tsx';
import { DisputeNotice, OrderRefunds } from './order-refunds.tsx';
import { OrderStatus } from './order-status.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { useOrder } from './use-order.ts';
import './order-page.css';

export function OrderPage({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const { recharge } = useAddresses();
  const live = useOrder(paymentId);
  return (
    <main className="order-page" id="main">
      <KeyArt />
      <div className="order-body">
        <header className="order-head">
          <BackLink to={recharge({ target: 'game', gameId: live.order.gameId })}>
            {t('nav.recharge')}
          </BackLink>
          <h1>{t('order.title')}</h1>
        </header>
        <div className="order-main">
          <OrderStatus {...live} />
          <DisputeNotice order={live.order} />
          <OrderRefunds order={live.order} />
          <OrderTimeline order={live.order} />
        </div>
        <OrderFacts order={live.order} />
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
        <div className="order-main">
          <div className="skeleton order-status-skeleton" />
        </div>
        <div className="skeleton order-facts-skeleton" />
      </div>
    </div>
  );
}
