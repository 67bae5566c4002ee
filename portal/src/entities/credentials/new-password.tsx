import { isPasswordWellFormed } from '@pointgate/contract/passwords.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from './password-field.tsx';

interface NewPasswordProps {
  password: string;
  again: string;
  isChecked: boolean;
  onPassword: (password: string) => void;
  onAgain: (password: string) => void;
}

/** The fields for a new password and its repetition. */
export function NewPassword({ password, again, isChecked, onPassword, onAgain }: NewPasswordProps) {
  const { t } = useTranslation();
  const [wasLeft, setWasLeft] = useState({ password: false, again: false });
  const isUnfit = password !== '' && !isPasswordWellFormed(password);
  const isOther = again !== '' && again !== password;
  return (
    <>
      <PasswordField
        isNew
        label={t('reset.password')}
        hint={t('reset.rule')}
        value={password}
        isMissing={isChecked && password === ''}
        problem={
          isUnfit && (isChecked || wasLeft.password) ? t('errors.PasswordFormatMismatch') : null
        }
        onChange={onPassword}
        onLeave={() => setWasLeft((before) => ({ ...before, password: password !== '' }))}
      />
      <PasswordField
        isNew
        label={t('reset.again')}
        value={again}
        isMissing={isChecked && again === ''}
        problem={isOther && (isChecked || wasLeft.again) ? t('reset.mismatch') : null}
        onChange={onAgain}
        onLeave={() => setWasLeft((before) => ({ ...before, again: again !== '' }))}
      />
    </>
  );
}
