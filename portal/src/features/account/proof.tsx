import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { StepUp } from '../../entities/passkeys/step-up.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { passkeysQuery } from './account-queries.ts';
import { SignInAgain } from './sign-in-again.tsx';

/**
 * A step-up for actions that a stolen session must not allow: by passkey, or else by a new sign-in.
 */
export function Proof({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data: passkeys } = useQuery(passkeysQuery);
  if (passkeys === undefined) return null;
  return (
    <Modal name="prove" title={t('ownData.prove')} size="small" onClose={onClose}>
      {passkeys.length > 0 ? (
        <StepUp level="h3" onDone={onClose} />
      ) : (
        <SignInAgain reason={t('ownData.signInAgain')} />
      )}
    </Modal>
  );
}
