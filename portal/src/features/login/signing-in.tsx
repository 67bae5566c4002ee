import { useTranslation } from 'react-i18next';
import { LoginCard } from './login-card.tsx';

/** Shown while the server verifies the sign-in with the provider. */
export function SigningIn() {
  const { t } = useTranslation();
  return (
    <LoginCard title={t('login.signingIn')}>
      <div className="login-wait" role="progressbar" aria-label={t('login.signingIn')}>
        <span />
      </div>
    </LoginCard>
  );
}
