import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';

/** The link to the order list on the page of a missing order. */
export function ToOrders() {
  const { t } = useTranslation();
  const { orders } = useAddresses();
  return (
    <ButtonLink kind="primary" to={orders}>
      {t('orders.toList')}
    </ButtonLink>
  );
}
