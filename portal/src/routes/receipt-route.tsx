import { useTranslation } from 'react-i18next';
import { ReceiptPage, ReceiptSkeleton } from '../orders/receipt-page.tsx';
import { useOrderNumber } from '../shell/order-number.ts';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function ReceiptRoute() {
  const { t } = useTranslation();
  const paymentId = useOrderNumber();
  usePageTitle('titles.receipt');
  return (
    <PageBoundary waiting={<ReceiptSkeleton />} failedTitle={t('receipt.failed')}>
      <ReceiptPage paymentId={paymentId} />
    </PageBoundary>
  );
}
