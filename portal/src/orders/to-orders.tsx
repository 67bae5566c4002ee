import { useTranslation } from 'react-i18next';
import { useAddresses } from '../addresses.ts';
import { ButtonLink } from '../ui/button.tsx';

/** The way on for whoever looks for an order that is not there. */
export function ToOrders() {
  const { t } = useTranslation();
  const { orders } = useAddresses();
  return (
    <ButtonLink kind="primary" to={orders}>
      {t('orders.toList')}
    </ButtonLink>
  );
}
