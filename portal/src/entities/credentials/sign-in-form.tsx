import type { Credentials } from '@pointgate/contract/credentials.ts';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useSignIn } from './use-sign-in.ts';

interface SignInFormProps {
  isComplete: boolean;
  /** `null` while a field is missing or invalid. */
  credentials: Credentials | null;
  /** The fields, which show errors only after the first submit. */
  children: (form: { isChecked: boolean; check: () => void }) => ReactNode;
}

export function SignInForm({ isComplete, credentials, children }: SignInFormProps) {
  const { t } = useTranslation();
  const signIn = useSignIn('form');
  const { form, isChecked, check } = useCheckedForm();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    check();
    if (credentials !== null && !signIn.isPending) signIn.mutate(credentials);
  };

  return (
    <form className="login-form" onSubmit={submit} noValidate ref={form}>
      {children({ isChecked, check })}
      {isChecked && !isComplete && <Alert title={t('login.incomplete')} />}
      {isComplete && signIn.isError && (
        <Alert title={t('login.failed')}>
          <p>{errorText(t, signIn.error)}</p>
        </Alert>
      )}
      <Button kind="primary" type="submit" name="sign-in" isBusy={signIn.isPending}>
        {t('login.submit')}
      </Button>
      <p className="login-proving" role="status">
        {signIn.isProving && t('login.proving')}
      </p>
    </form>
  );
}

/**
 * A form whose fields are validated from the first submit on. The first invalid one gets the focus.
 */
export function useCheckedForm() {
  const form = useRef<HTMLFormElement>(null);
  const [isChecked, setIsChecked] = useState(false);
  const check = () => {
    setIsChecked(true);
    // After the render that marks the invalid fields.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  return { form, isChecked, check };
}
