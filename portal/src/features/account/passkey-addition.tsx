import { PasskeyName } from '@pointgate/contract/passkeys.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { passkeyProblem } from '../../entities/passkeys/passkey-problem.ts';
import { isStepUpNeeded, StepUp } from '../../entities/passkeys/step-up.tsx';
import { TextField } from '../../shared/forms/text-field.tsx';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { useAddPasskey } from './account-queries.ts';
import { SignInAgain } from './sign-in-again.tsx';

interface PasskeyAdditionProps {
  /** Without a passkey the player cannot confirm with one and has to sign in again. */
  isFirst: boolean;
  onClose: () => void;
}

export function PasskeyAddition({ isFirst, onClose }: PasskeyAdditionProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(
    () => deviceName(navigator.userAgent) ?? t('passkeys.thisDevice'),
  );
  const add = useAddPasskey(() => {
    showToast((say) => say('passkeys.addedNow'));
    onClose();
  });
  if (isStepUpNeeded(add.error)) {
    return (
      <Modal name="passkey-add" title={t('passkeys.add')} onClose={onClose}>
        {/* Returns to the form: browsers require a user gesture before each WebAuthn call. */}
        {isFirst ? (
          <SignInAgain reason={t('passkeys.signInAgainText')} />
        ) : (
          <StepUp level="h3" onDone={add.reset} />
        )}
      </Modal>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (z.safeParse(PasskeyName, name).success && !add.isPending) add.mutate(name.trim());
  };
  const isMissing = name.trim() === '';
  return (
    <Modal name="passkey-add" title={t('passkeys.add')} onClose={onClose}>
      <form className="account-form" onSubmit={submit} noValidate>
        <TextField
          label={t('passkeys.name')}
          value={name}
          autoComplete="off"
          maxLength={60}
          isMissing={isMissing}
          problem={isMissing ? t('passkeys.nameMissing') : null}
          hint={t('passkeys.nameHint')}
          onChange={setName}
        />
        <p className="account-lead">{t('passkeys.addText')}</p>
        {add.isError && (
          <Alert title={t('passkeys.addFailed')}>
            <p>{passkeyProblem(t, add.error)}</p>
          </Alert>
        )}
        <Button kind="primary" type="submit" isBusy={add.isPending}>
          {t('passkeys.continue')}
        </Button>
      </form>
    </Modal>
  );
}

// Product names, ordered because some user agents contain several of these names.
const devices = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
] as const;

/** A suggestion for the passkey name, which the player can change. */
function deviceName(userAgent: string): string | undefined {
  return devices.find(([pattern]) => pattern.test(userAgent))?.[1];
}
