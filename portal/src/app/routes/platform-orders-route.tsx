import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { gamesQuery } from '../../entities/games/game-queries.ts';
import { AccountLayout } from '../../features/account/account-layout.tsx';
import { OrderList } from '../../features/orders/order-list.tsx';

/** The orders of all games of a platform. Does not wait for the game list of the filter. */
export function PlatformOrdersRoute() {
  const { t } = useTranslation();
  const { data: games = [] } = useQuery(gamesQuery);
  return (
    <AccountLayout title={t('titles.rechargeRecord')} lead={t('orders.lead')}>
      <OrderList games={games} />
    </AccountLayout>
  );
}
