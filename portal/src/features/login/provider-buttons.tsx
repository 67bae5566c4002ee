import { startSignIn } from '@pointgate/contract/sign-in.ts';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import {
  isWechatScanned,
  type Provider,
  rememberMethod,
} from '../../entities/credentials/methods.ts';
import { addressAfterLogin } from '../../entities/session/redirect.ts';
import { rememberStart } from '../../entities/session/started-sign-in.ts';
import { trackLogin } from '../../shared/analytics/track-login.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { ProviderMark } from './provider-marks.tsx';
import './provider-buttons.css';

// Product names are the same in all languages but one.
const names = {
  APPLE_SIGN_IN_AUTH: 'Apple',
  GOOGLE_PLAY_GAMES_AUTH: 'Google',
  FACEBOOK_AUTH: 'Facebook',
} as const;

interface ProviderButtonsProps {
  providers: Provider[];
  last: Provider | null;
}

/** The buttons for external sign-in providers. */
export function ProviderButtons({ providers, last }: ProviderButtonsProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const back = addressAfterLogin(search);
  const isScanned = isWechatScanned(currentEnvironment());
  const start = useAction({
    mutationFn: async (method: Provider) => {
      const { url, state } = await call(startSignIn, {
        method,
        redirect: back,
        inWechat: !isScanned,
      });
      rememberStart({ method, state, back });
      // Apple posts its response to the server, so this page does not see the sign-in finish.
      if (method === 'APPLE_SIGN_IN_AUTH') rememberMethod(method);
      window.location.assign(url);
    },
    onError: (error, method) => trackLogin(method, error),
  });

  // Busy until the page of the provider loads, not only until its address is known.
  const isLeaving = start.isPending || start.isSuccess;
  const nameOf = (method: Provider) =>
    method === 'WECHAT_AUTH' ? t('login.wechat') : names[method];

  return (
    <div className="providers">
      {start.isError && (
        <Alert title={t('login.failed')}>
          <p>{errorText(t, start.error)}</p>
        </Alert>
      )}
      <ul className="provider-list">
        {providers.map((method) => (
          <li key={method}>
            <button
              type="button"
              className="provider"
              data-track="sign-in-elsewhere"
              aria-label={
                method === 'WECHAT_AUTH' && isScanned
                  ? t('login.scanWechat')
                  : t('login.continueWith', { provider: nameOf(method) })
              }
              aria-disabled={isLeaving || undefined}
              aria-busy={(isLeaving && start.variables === method) || undefined}
              onClick={() => {
                if (!isLeaving) start.mutate(method);
              }}
            >
              <ProviderMark provider={method} />
              <span>{nameOf(method)}</span>
              {method === last && <span className="provider-last">{t('login.lastUsed')}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
