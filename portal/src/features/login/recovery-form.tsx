import {
  isPasswordWellFormed,
  type PasskeyReview,
  resetPasswordByRecoveryCode,
} from '@pointgate/contract/passwords.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewPassword } from '../../entities/credentials/new-password.tsx';
import { seal } from '../../entities/credentials/seal.ts';
import { useCheckedForm } from '../../entities/credentials/sign-in-form.tsx';
import { withHumanProof } from '../../entities/credentials/with-human-proof.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { TextField } from '../../shared/forms/text-field.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';

interface RecoveryFormProps {
  /** Called with the passkey review after the reset. */
  onReset: (review: PasskeyReview) => void;
}

/** Resets the password with a recovery code, for players without access to email and phone. */
export function RecoveryForm({ onReset }: RecoveryFormProps) {
  const { t } = useTranslation();
  const { form, isChecked, check } = useCheckedForm();
  const [typedAccount, setAccount] = useState('');
  const [typedCode, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const reset = useReset(onReset);

  const account = typedAccount.trim();
  const code = typedCode.trim();
  const isComplete = account !== '' && code !== '' && password !== '' && again !== '';
  const isGood = isPasswordWellFormed(password) && password === again;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check();
    if (isComplete && isGood && !reset.isPending) reset.mutate({ account, code, password });
  };

  return (
    <form className="login-form" onSubmit={submit} noValidate ref={form}>
      <TextField
        label={t('reset.account')}
        hint={t('reset.accountHint')}
        autoComplete="username"
        maxLength={254}
        value={typedAccount}
        isMissing={isChecked && account === ''}
        onChange={setAccount}
      />
      <TextField
        label={t('reset.recoveryCode')}
        autoComplete="off"
        maxLength={64}
        value={typedCode}
        isMissing={isChecked && code === ''}
        onChange={setCode}
      />
      <NewPassword
        password={password}
        again={again}
        isChecked={isChecked}
        onPassword={setPassword}
        onAgain={setAgain}
      />
      {isChecked && !isComplete && <Alert title={t('login.incomplete')} />}
      {isComplete && reset.isError && (
        <Alert title={t('reset.failed')}>
          <p>{errorText(t, reset.error)}</p>
        </Alert>
      )}
      <Button kind="primary" type="submit" isBusy={reset.isPending}>
        {t('reset.submit')}
      </Button>
    </form>
  );
}

interface Reset {
  account: string;
  code: string;
  password: string;
}

function useReset(onReset: (review: PasskeyReview) => void) {
  return useAction({
    mutationFn: (typed: Reset) =>
      withHumanProof(async (proof) => {
        const sealed = await seal(typed, resetPasswordByRecoveryCode);
        return await call(resetPasswordByRecoveryCode, { ...sealed, proof });
      }),
    onSuccess: ({ review }) => onReset(review),
  });
}
