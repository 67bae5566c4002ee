import { useTranslation } from 'react-i18next';
import { AccountLayout } from '../../features/account/account-layout.tsx';
import { OrderList } from '../../features/orders/order-list.tsx';

export function OrdersRoute() {
  const { t } = useTranslation();
  return (
    <AccountLayout title={t('titles.rechargeRecord')} lead={t('orders.lead')}>
      <OrderList />
    </AccountLayout>
  );
}
