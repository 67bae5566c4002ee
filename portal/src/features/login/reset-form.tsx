import {
  isPasswordWellFormed,
  type PasskeyReview,
  resetPasswordByEmail,
  resetPasswordByPhone,
} from '@pointgate/contract/passwords.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEntry } from '../../entities/credentials/code-entry.tsx';
import { isWholeCode } from '../../entities/credentials/code-field.tsx';
import { EmailField, toEmail } from '../../entities/credentials/email-field.tsx';
import { NewPassword } from '../../entities/credentials/new-password.tsx';
import { PhoneField } from '../../entities/credentials/phone-field.tsx';
import { startRegion, toPhoneNumber } from '../../entities/credentials/phone-number.ts';
import { seal } from '../../entities/credentials/seal.ts';
import { type CodeRequest, sendCode } from '../../entities/credentials/send-code.ts';
import { useCheckedForm } from '../../entities/credentials/sign-in-form.tsx';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';

interface ResetFormProps {
  by: 'email' | 'phone';
  /** Called with the passkey review after the reset. */
  onReset: (review: PasskeyReview) => void;
}

export function ResetForm({ by, onReset }: ResetFormProps) {
  const { t } = useTranslation();
  const { form, isChecked, check } = useCheckedForm();
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState({ region: startRegion(currentLocale()), number: '' });
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const reset = useReset(onReset);

  const target = by === 'email' ? emailTarget(toEmail(email)) : phoneTarget(toPhoneNumber(phone));
  const typedTarget = by === 'email' ? email : phone.number;
  const isComplete =
    typedTarget.trim() !== '' && isWholeCode(code) && password !== '' && again !== '';
  const isGood = isPasswordWellFormed(password) && password === again;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check();
    if (!isComplete || !isGood || target === null || reset.isPending) return;
    reset.mutate({ target, code, password });
  };

  return (
    <form className="login-form" onSubmit={submit} noValidate ref={form}>
      {by === 'email' ? (
        <EmailField value={email} isChecked={isChecked} onChange={setEmail} />
      ) : (
        <PhoneField value={phone} isChecked={isChecked} onChange={setPhone} />
      )}
      <CodeEntry
        value={code}
        isChecked={isChecked}
        request={target}
        send={sendCode}
        onChange={setCode}
        onIncomplete={check}
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
  target: CodeRequest;
  code: string;
  password: string;
}

function useReset(onReset: (review: PasskeyReview) => void) {
  return useAction({
    mutationFn: async ({ target, ...rest }: Reset) => {
      if ('email' in target) {
        const sealed = await seal({ email: target.email, ...rest }, resetPasswordByEmail);
        return await call(resetPasswordByEmail, sealed);
      }
      const sealed = await seal({ phone: target.phone, ...rest }, resetPasswordByPhone);
      return await call(resetPasswordByPhone, sealed);
    },
    onSuccess: ({ review }) => onReset(review),
  });
}

function emailTarget(email: string | null): CodeRequest | null {
  return email === null ? null : { email, purpose: 'password_forget_email' };
}

function phoneTarget(phone: string | null): CodeRequest | null {
  return phone === null ? null : { phone, purpose: 'password_forget_phone' };
}
