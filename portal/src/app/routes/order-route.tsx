import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { gamesQuery } from '../../entities/games/game-queries.ts';
import { OrderPage, OrderSkeleton } from '../../features/orders/order-page.tsx';
import { ToOrders } from '../../features/orders/to-orders.tsx';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { useOrderNumber } from '../shell/order-number.ts';
import { PageBoundary } from '../shell/page-boundary.tsx';

export function OrderRoute() {
  const { t } = useTranslation();
  const { domainType } = useSiteConfig();
  const paymentId = useOrderNumber();
  // Fetched in parallel with the order, so that the page does not change its colours later.
  const queryClient = useQueryClient();
  useEffect(() => {
    if (domainType === 1) void queryClient.prefetchQuery(gamesQuery);
  }, [domainType, queryClient]);
  return (
    <PageBoundary
      waiting={<OrderSkeleton />}
      failedTitle={t('order.failed')}
      waysOn={{ PaymentIdWrong: <ToOrders /> }}
    >
      <OrderPage paymentId={paymentId} />
    </PageBoundary>
  );
}
