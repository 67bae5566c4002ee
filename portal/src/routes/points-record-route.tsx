import { useTranslation } from 'react-i18next';
import { AccountLayout } from '../account/account-layout.tsx';
import { PointRecordPage } from '../points/point-record-page.tsx';
import { BalanceNotices } from '../recharge/balance-panel.tsx';
import { usePageTitle } from '../shell/page-title.ts';

export function PointsRecordRoute() {
  const { t } = useTranslation();
  usePageTitle('titles.epointRecord');
  return (
    <AccountLayout title={t('titles.epointRecord')} lead={t('pointRecord.lead')}>
      <PointRecordPage notices={<BalanceNotices />} />
    </AccountLayout>
  );
}
