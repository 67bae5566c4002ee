import { login } from '@pointgate/contract/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { call } from '../api/client.ts';
import { useSiteConfig } from '../config/site-config.tsx';
import { errorText } from '../i18n/error-text.ts';
import { addressAfterLogin } from '../session/redirect.ts';
import { startSession, useUser } from '../session/session.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { KeyArt } from '../ui/hero.tsx';
import { showToast } from '../ui/toast.tsx';
import { useIsMobile } from '../ui/use-media-query.ts';
import { PasswordField, TextField } from './fields.tsx';
import { seal } from './seal.ts';
import './login.css';

export function LoginPage() {
  const { t } = useTranslation();
  usePageTitle('titles.login');
  const { search } = useLocation();
  const { siteTitle } = useSiteConfig();
  const user = useUser();
  if (user.login) return <Navigate to={addressAfterLogin(search)} replace />;

  return (
    <main className="login" id="main">
      <KeyArt />
      <section className="login-card">
        <h1>{t('login.title')}</h1>
        <p className="login-lead">{t('login.lead', { site: siteTitle })}</p>
        <LoginForm />
      </section>
    </main>
  );
}

function LoginForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isMobile = useIsMobile();
  const [loginName, setLoginName] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const name = loginName.trim(); // Keyboards of phones add a space after a word.

  const signIn = useMutation({
    mutationFn: async () => {
      const credentials = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName: name, password } as const;
      return await call(login, await seal(credentials, login));
    },
    onSuccess: (session) => {
      showToast(t('login.successful'));
      startSession(queryClient, session);
    },
  });

  const isComplete = name !== '' && password !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isComplete && !signIn.isPending) signIn.mutate();
  };

  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <TextField
        label={t('login.loginName')}
        autoComplete="username"
        hasFirstFocus={!isMobile}
        maxLength={64}
        value={loginName}
        isMissing={isChecked && name === ''}
        onChange={setLoginName}
      />
      <PasswordField
        label={t('login.password')}
        value={password}
        isMissing={isChecked && password === ''}
        onChange={setPassword}
      />
      {isChecked && !isComplete && <Alert title={t('login.incomplete')} />}
      {isComplete && signIn.isError && (
        <Alert title={t('login.failed')}>
          <p>{errorText(t, signIn.error)}</p>
        </Alert>
      )}
      <Button kind="primary" type="submit" isBusy={signIn.isPending}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
