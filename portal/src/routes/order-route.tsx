import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { OrderPage, OrderSkeleton } from '../orders/order-page.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function OrderRoute() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  usePageTitle('titles.order');
  return (
    <PageBoundary waiting={<OrderSkeleton />} failedTitle={t('order.failed')}>
      <OrderPage paymentId={id} />
    </PageBoundary>
  );
}
