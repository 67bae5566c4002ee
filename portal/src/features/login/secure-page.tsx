import { secureAccount } from '@pointgate/contract/notices.ts';
import { pages } from '@pointgate/contract/pages.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useForgetSession } from '../../entities/session/use-forget-session.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { LoginCard } from './login-card.tsx';

/** The target of the link in security notices, for an owner who did not make the change. */
export function SecurePage() {
  const { t } = useTranslation();
  const token = useTokenOfLink();
  const forgetSession = useForgetSession();
  const secure = useAction({
    mutationFn: async () => {
      await call(secureAccount, { token });
      await forgetSession();
    },
  });
  if (secure.isSuccess) {
    return (
      <LoginCard title={t('secure.doneTitle')} lead={t('secure.done')}>
        <ButtonLink kind="primary" to={`${pages.common.passwordReset.path}?by=email`}>
          {t('secure.reset')}
        </ButtonLink>
      </LoginCard>
    );
  }
  return (
    <LoginCard title={t('titles.secure')} lead={t('secure.lead')}>
      <div className="login-form">
        {secure.isError && (
          <Alert title={t('secure.failed')}>
            <p>{errorText(t, secure.error)}</p>
          </Alert>
        )}
        <Button kind="primary" isBusy={secure.isPending} onClick={() => secure.mutate()}>
          {t('secure.submit')}
        </Button>
      </div>
      <BackLink to={pages.common.login.path}>{t('login.back')}</BackLink>
    </LoginCard>
  );
}

/** Reads the token and removes it from the address, so that it does not stay in the history. */
function useTokenOfLink(): string {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(() => hash.slice(1));
  useEffect(() => {
    if (hash !== '') void navigate(pathname + search, { replace: true });
  }, [hash, pathname, search, navigate]);
  return token;
}
