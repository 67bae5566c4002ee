import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { isOrderAddress } from '../addresses.ts';
import { useSiteConfig } from '../config/site-config.tsx';
import { arePasskeysOffered } from '../passkeys/ceremony.ts';
import { currentEnvironment } from '../session/environment.ts';
import { addressAfterLogin } from '../session/redirect.ts';
import { useUser } from '../session/session.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { Notice } from '../ui/notice.tsx';
import { LoginCard } from './login-card.tsx';
import { MethodTabs } from './method-tabs.tsx';
import { lastMethod, waysIn } from './methods.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SigningIn } from './signing-in.tsx';
import { useIsReturning } from './use-sign-in.ts';

export function LoginPage() {
  usePageTitle('titles.login');
  const { search } = useLocation();
  const user = useUser();
  const isReturning = useIsReturning();
  if (user.login) return <Navigate to={addressAfterLogin(search)} replace />;
  return isReturning ? <SigningIn /> : <WaysIn />;
}

function WaysIn() {
  const { t } = useTranslation();
  const titleId = useId();
  const { search } = useLocation();
  const { siteTitle, loginMethods, gameInfo } = useSiteConfig();
  const { hasWechatScan } = gameInfo.customConfig;
  const ways = waysIn(loginMethods, { ...currentEnvironment(), hasWechatScan });
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
          providers={providers}
          last={providers.find((method) => method === last) ?? null}
        />
      )}
      {hasPasskeys && <PasskeyButton isLast={last === 'PASSKEY'} />}
      {start === undefined && !hasOthers && <Notice tone="info" title={t('login.noWay')} />}
    </LoginCard>
  );
}
