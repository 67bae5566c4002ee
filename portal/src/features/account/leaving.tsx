import { daysToComeBack } from '@pointgate/contract/privacy.ts';
import { useTranslation } from 'react-i18next';
import { isStepUpNeeded } from '../../entities/passkeys/step-up.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { useLeaveShop } from './account-queries.ts';
import { Proof } from './proof.tsx';

/**
 * Explains what is lost and kept before the deletion, and shows the date of deletion afterwards.
 */
export function Leaving({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const leave = useLeaveShop();
  // A full page load, so that no data of this player stays in memory.
  const goHome = () => window.location.assign('/');
  if (leave.data !== undefined) {
    return (
      <Modal name="account-left" title={t('ownData.left')} size="small" onClose={goHome}>
        <p>{t('ownData.leftText', { date: format.date(leave.data.erasedAt) })}</p>
        <Button kind="primary" onClick={goHome}>
          {t('global.confirm')}
        </Button>
      </Modal>
    );
  }
  if (isStepUpNeeded(leave.error)) return <Proof onClose={leave.reset} />;
  return (
    <Modal name="account-leave" title={t('ownData.leaveTitle')} size="small" onClose={onClose}>
      <p>{t('ownData.leaveNow', { days: daysToComeBack })}</p>
      <p>{t('ownData.leavePoints')}</p>
      <p>{t('ownData.leaveBooks')}</p>
      {leave.isError && (
        <Alert title={t('ownData.leaveFailed')}>
          <p>{errorText(t, leave.error)}</p>
        </Alert>
      )}
      <div className="account-choice">
        <Button kind="secondary" isBusy={leave.isPending} onClick={() => leave.mutate()}>
          {t('ownData.leaveSubmit')}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t('global.cancel')}
        </Button>
      </div>
    </Modal>
  );
}
