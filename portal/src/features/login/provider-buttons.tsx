import { startSignIn } from '@pointgate/contract/sign-in.ts';
import { isReturningTo, type ProviderMethod } from '@pointgate/contract/sign-in-providers.ts';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { rememberMethod } from '../../entities/credentials/last-method.ts';
import { isWechatScanned, providers } from '../../entities/credentials/sign-in-providers.tsx';
import { addressAfterLogin } from '../../entities/session/redirect.ts';
import { rememberStart } from '../../entities/session/started-sign-in.ts';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import './provider-buttons.css';

interface ProviderButtonsProps {
  methods: ProviderMethod[];
  last: ProviderMethod | null;
}

/** The buttons for external sign-in providers. */
export function ProviderButtons({ methods, last }: ProviderButtonsProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const back = addressAfterLogin(search);
  const environment = currentEnvironment();
  const start = useAction({
    mutationFn: async (method: ProviderMethod) => {
      const { url, state } = await call(startSignIn, {
        method,
        redirect: back,
        inWechat: !isWechatScanned(environment),
      });
      rememberStart({ method, state, back });
      // This page does not see a sign-in finish whose answer is posted to the server.
      if (isReturningTo(method, 'form')) rememberMethod(method);
      window.location.assign(url);
    },
    onError: (error, method) => trackLogin(method, error),
  });

  // Busy until the page of the provider loads, not only until its address is known.
  const isLeaving = start.isPending || start.isSuccess;
  const labelOf = (method: ProviderMethod) =>
    providers[method].label?.(t, environment) ??
    t('login.continueWith', { provider: providers[method].name(t) });

  return (
    <div className="providers">
      {start.isError && (
        <Alert title={t('login.failed')}>
          <p>{errorText(t, start.error)}</p>
        </Alert>
      )}
      <ul className="provider-list">
        {methods.map((method) => (
          <li key={method}>
            <button
              type="button"
              className="provider"
              data-track="sign-in-elsewhere"
              aria-label={labelOf(method)}
              aria-disabled={isLeaving || undefined}
              aria-busy={(isLeaving && start.variables === method) || undefined}
              onClick={() => {
                if (!isLeaving) start.mutate(method);
              }}
            >
              <svg viewBox="0 0 24 24" width={22} height={22} aria-hidden="true">
                {providers[method].mark}
              </svg>
              <span>{providers[method].name(t)}</span>
              {method === last && <span className="provider-last">{t('login.lastUsed')}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
