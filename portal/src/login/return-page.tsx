import { signInReturnPath } from '@pointgate/contract/sign-in.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { trackLogin } from '../analytics/track-login.ts';
import { errorText } from '../i18n/error-text.ts';
import { type Arrival, hasArrived, takeArrival } from '../session/arrival.ts';
import { useUser } from '../session/session.ts';
import { type StartedSignIn, takeStart } from '../session/started-sign-in.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { LoginCard } from './login-card.tsx';
import { returnedCredentials } from './returned.ts';
import { SigningIn } from './signing-in.tsx';
import { useSignIn } from './use-sign-in.ts';

const isForThisPage = ({ path }: Arrival) => path === signInReturnPath;

/** The callback page of the sign-in providers. */
export function ReturnPage() {
  usePageTitle('titles.login');
  const { t } = useTranslation();
  const { search } = useLocation();
  const { isInit } = useUser();
  const signIn = useSignIn('return');
  const { mutate } = signIn;
  const [isFirstVisit] = useState(() => hasArrived(isForThisPage));
  const [started, setStarted] = useState<StartedSignIn | null>(null);
  const [isStrange, setIsStrange] = useState(false);

  useEffect(() => {
    // Only after the session is known: its response must not overwrite the new login.
    const arrival = isInit ? takeArrival(isForThisPage) : null;
    if (arrival === null) return;
    const start = takeStart();
    const credentials = returnedCredentials(arrival, start);
    setStarted(start);
    if (credentials !== null) return mutate(credentials);
    setIsStrange(true);
    if (start !== null) trackLogin(start.method, 'StateMismatch');
  }, [isInit, mutate]);

  // Opened by hand or by the back button: there is no code left to exchange.
  if (!isFirstVisit) return <Navigate to={`/login${search}`} replace />;
  if (signIn.isSuccess) return <Navigate to={started?.back ?? '/main'} replace />;
  if (!isStrange && !signIn.isError) return <SigningIn />;

  const isWechatStrange = isStrange && started?.method === 'WECHAT_AUTH';
  return (
    <LoginCard title={t('login.title')}>
      <div className="login-form">
        <Alert title={isWechatStrange ? t('login.wechatAbnormal') : t('login.failed')}>
          <p>{isStrange ? t('errors.AuthFail') : errorText(t, signIn.error)}</p>
        </Alert>
        <ButtonLink kind="primary" to={`/login${search}`}>
          {t('login.back')}
        </ButtonLink>
      </div>
    </LoginCard>
  );
}
