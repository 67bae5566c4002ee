import { isPasswordWellFormed } from '@pointgate/contract/passwords.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewPassword } from '../../entities/credentials/new-password.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { OwnChange } from './own-change.tsx';
import { useChangePassword } from './security-queries.ts';

interface PasswordChangeProps {
  hasPassword: boolean;
  onClose: () => void;
}

export function PasswordChange({ hasPassword, onClose }: PasswordChangeProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const action = useChangePassword(() => {
    showToast((say) => say('reset.done'));
    onClose();
  });
  const isGood = isPasswordWellFormed(password) && password === again;
  return (
    <OwnChange
      name="password-change"
      title={t(hasPassword ? 'security.changePassword' : 'security.setPassword')}
      hasPassword={hasPassword}
      action={action}
      change={isGood ? { password } : null}
      isComplete={password !== '' && again !== ''}
      failed={t('reset.failed')}
      submit={t('budget.save')}
      onClose={onClose}
    >
      {({ isChecked }) => (
        <>
          <NewPassword
            password={password}
            again={again}
            isChecked={isChecked}
            onPassword={setPassword}
            onAgain={setAgain}
          />
          <p className="account-lead">{t('security.passwordText')}</p>
        </>
      )}
    </OwnChange>
  );
}
