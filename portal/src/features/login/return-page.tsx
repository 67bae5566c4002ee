import { homePath, pages } from '@pointgate/contract/pages.ts';
import { signInReturnPath } from '@pointgate/contract/sign-in.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { useSignIn } from '../../entities/credentials/use-sign-in.ts';
import { type Arrival, hasArrived, takeArrival } from '../../entities/session/arrival.ts';
import { useUser } from '../../entities/session/session.ts';
import { type StartedSignIn, takeStart } from '../../entities/session/started-sign-in.ts';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { LoginCard } from './login-card.tsx';
import { returnedCredentials } from './returned.ts';
import { SigningIn } from './signing-in.tsx';

const isForThisPage = ({ path }: Arrival) => path === signInReturnPath;

/** The callback page of the sign-in providers. */
export function ReturnPage() {
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
  if (!isFirstVisit) return <Navigate to={`${pages.common.login.path}${search}`} replace />;
  if (signIn.isSuccess) return <Navigate to={started?.back ?? homePath} replace />;
  if (!isStrange && !signIn.isError) return <SigningIn />;

  const isWechatStrange = isStrange && started?.method === 'WECHAT_AUTH';
  return (
    <LoginCard title={t('login.title')}>
      <div className="login-form">
        <Alert title={isWechatStrange ? t('login.wechatAbnormal') : t('login.failed')}>
          <p>{isStrange ? t('errors.AuthFail') : errorText(t, signIn.error)}</p>
        </Alert>
        <ButtonLink kind="primary" to={`${pages.common.login.path}${search}`}>
          {t('login.back')}
        </ButtonLink>
      </div>
    </LoginCard>
  );
}
