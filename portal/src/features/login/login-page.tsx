import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { isOrderAddress } from '../../entities/addresses/addresses.ts';
import { lastMethod } from '../../entities/credentials/last-method.ts';
import { offeredSignInMethods } from '../../entities/credentials/methods.ts';
import { useIsReturning } from '../../entities/credentials/use-sign-in.ts';
import { arePasskeysOffered } from '../../entities/passkeys/ceremony.ts';
import { addressAfterLogin } from '../../entities/session/redirect.ts';
import { useUser } from '../../entities/session/session.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { LoginCard } from './login-card.tsx';
import { MethodTabs } from './method-tabs.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SigningIn } from './signing-in.tsx';

export function LoginPage() {
  const { search } = useLocation();
  const user = useUser();
  const isReturning = useIsReturning();
  if (user.login) return <Navigate to={addressAfterLogin(search)} replace />;
  return isReturning ? <SigningIn /> : <OfferedSignInMethods />;
}

function OfferedSignInMethods() {
  const { t } = useTranslation();
  const titleId = useId();
  const { search } = useLocation();
  const { siteTitle, loginMethods, gameInfo } = useSiteConfig();
  const { hasWechatScan } = gameInfo.customConfig;
  const ways = offeredSignInMethods(loginMethods, { ...currentEnvironment(), hasWechatScan });
  const { typed, providers } = ways;
  const last = lastMethod(ways);
  const hasPasskeys = arePasskeysOffered();
  const hasOthers = providers.length > 0 || hasPasskeys;
  const start = typed.find((method) => method === last) ?? typed[0];

  return (
    <LoginCard
      title={t('login.title')}
      titleId={titleId}
      lead={
        // The visitor may have paid in another browser and wants to see the order.
        isOrderAddress(addressAfterLogin(search))
          ? t('login.leadOrder')
          : t('login.lead', { site: siteTitle })
      }
    >
      {start !== undefined && <MethodTabs methods={typed} start={start} titleId={titleId} />}
      {start !== undefined && hasOthers && <p className="login-or">{t('login.or')}</p>}
      {providers.length > 0 && (
        <ProviderButtons
          methods={providers}
          last={providers.find((method) => method === last) ?? null}
        />
      )}
      {hasPasskeys && <PasskeyButton isLast={last === 'PASSKEY'} />}
      {start === undefined && !hasOthers && <Notice tone="info" title={t('login.noWay')} />}
    </LoginCard>
  );
}
