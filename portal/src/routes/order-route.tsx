import { useTranslation } from 'react-i18next';
import { OrderPage, OrderSkeleton } from '../orders/order-page.tsx';
import { useOrderNumber } from '../shell/order-number.ts';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function OrderRoute() {
  const { t } = useTranslation();
  const paymentId = useOrderNumber();
  usePageTitle('titles.order');
  return (
    <PageBoundary waiting={<OrderSkeleton />} failedTitle={t('order.failed')}>
      <OrderPage paymentId={paymentId} />
    </PageBoundary>
  );
}
