import type { Passkey } from '@pointgate/contract/passkeys.ts';
import { useTranslation } from 'react-i18next';
import { isStepUpNeeded, StepUp } from '../../entities/passkeys/step-up.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { useRemovePasskey } from './account-queries.ts';

interface PasskeyRemovalProps {
  passkey: Passkey;
  onClose: () => void;
}

export function PasskeyRemoval({ passkey, onClose }: PasskeyRemovalProps) {
  const { t } = useTranslation();
  const remove = useRemovePasskey(() => {
    showToast((say) => say('passkeys.removedNow'));
    onClose();
  });
  const submit = () => remove.mutate(passkey.passkeyId);
  if (isStepUpNeeded(remove.error)) {
    return (
      <Modal name="passkey-remove" title={t('passkeys.removeTitle')} size="small" onClose={onClose}>
        <StepUp level="h3" onDone={submit} />
      </Modal>
    );
  }
  return (
    <Modal name="passkey-remove" title={t('passkeys.removeTitle')} size="small" onClose={onClose}>
      <p>{t('passkeys.removeText', { name: passkey.name })}</p>
      {remove.isError && (
        <Alert title={t('passkeys.removeFailed')}>
          <p>{errorText(t, remove.error)}</p>
        </Alert>
      )}
      <div className="account-choice">
        <Button kind="secondary" isBusy={remove.isPending} onClick={submit}>
          {t('passkeys.remove')}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t('global.cancel')}
        </Button>
      </div>
    </Modal>
  );
}
