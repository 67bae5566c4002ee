import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { ReceiptPage, ReceiptSkeleton } from '../../features/orders/receipt-page.tsx';
import { ToOrders } from '../../features/orders/to-orders.tsx';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { useOrderNumber } from '../shell/order-number.ts';
import { PageBoundary } from '../shell/page-boundary.tsx';

export function ReceiptRoute() {
  const { t } = useTranslation();
  const paymentId = useOrderNumber();
  return (
    <PageBoundary
      waiting={<ReceiptSkeleton />}
      failedTitle={t('receipt.failed')}
      waysOn={{ PaymentIdWrong: <ToOrders />, OrderNotPaid: <ToOrder paymentId={paymentId} /> }}
    >
      <ReceiptPage paymentId={paymentId} />
    </PageBoundary>
  );
}

/** Links to the order page, where the order can be paid or explains why not. */
function ToOrder({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  return (
    <ButtonLink kind="primary" to={useAddresses().order(paymentId)}>
      {t('receipt.toOrder')}
    </ButtonLink>
  );
}
