import { useTranslation } from 'react-i18next';
import { AccountLayout } from '../../features/account/account-layout.tsx';
import { PointRecordPage } from '../../features/points/point-record-page.tsx';
import { BalanceNotices } from '../../features/recharge/balance-panel.tsx';

export function PointsRecordRoute() {
  const { t } = useTranslation();
  return (
    <AccountLayout title={t('titles.epointRecord')} lead={t('pointRecord.lead')}>
      <PointRecordPage notices={<BalanceNotices />} />
    </AccountLayout>
  );
}
