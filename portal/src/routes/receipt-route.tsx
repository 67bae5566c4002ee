import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { ReceiptPage, ReceiptSkeleton } from '../orders/receipt-page.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function ReceiptRoute() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  usePageTitle('titles.receipt');
  return (
    <PageBoundary waiting={<ReceiptSkeleton />} failedTitle={t('receipt.failed')}>
      <ReceiptPage paymentId={id} />
    </PageBoundary>
  );
}
