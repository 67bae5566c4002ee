import { pages } from '@pointgate/contract/pages.ts';
import type { PasskeyReview as Review } from '@pointgate/contract/passwords.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useForgetSession } from '../../entities/session/use-forget-session.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { LoginCard } from './login-card.tsx';
import { PasskeyReview } from './passkey-review.tsx';
import { RecoveryForm } from './recovery-form.tsx';
import { ResetForm } from './reset-form.tsx';

type By = 'email' | 'phone' | 'recovery';

const leads = {
  email: 'reset.byEmail',
  phone: 'reset.byPhone',
  recovery: 'reset.byRecovery',
} as const;
const choices = {
  email: 'reset.useEmail',
  phone: 'reset.usePhone',
  recovery: 'reset.useRecovery',
} as const;

/** Resets the password with a one-time code or a recovery code. */
export function ResetPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [review, setReview] = useState<Review>(null);
  const forgetSession = useForgetSession();
  const loginAddress = useLoginAddress();
  const [query, setQuery] = useSearchParams();
  const { loginMethods } = useSiteConfig();
  const offered: By[] = [
    ...(loginMethods.includes('EMAIL_PASSWORD_AUTH') ? ['email' as const] : []),
    ...(loginMethods.includes('MOBILE_PASSWORD_AUTH') ? ['phone' as const] : []),
    'recovery',
  ];
  const by = offered.find((each) => each === query.get('by')) ?? offered[0] ?? 'recovery';

  const leave = () => {
    showToast((say) => say('reset.done'));
    void navigate(loginAddress, { replace: true });
  };
  if (review !== null) {
    return (
      <LoginCard title={t('review.title')} lead={t('review.lead')}>
        <PasskeyReview review={review} onDone={leave} />
      </LoginCard>
    );
  }

  const change = (next: By) => {
    query.set('by', next);
    setQuery(query, { replace: true });
  };

  const follow = async (asked: Review) => {
    await forgetSession();
    if (asked === null) leave();
    else setReview(asked);
  };

  return (
    <LoginCard title={t('reset.title')} lead={t(leads[by])}>
      {by === 'recovery' ? (
        <RecoveryForm onReset={follow} />
      ) : (
        <ResetForm key={by} by={by} onReset={follow} />
      )}
      {offered
        .filter((other) => other !== by)
        .map((other) => (
          <button
            key={other}
            type="button"
            className="login-link other"
            onClick={() => change(other)}
          >
            {t(choices[other])}
          </button>
        ))}
      <BackLink to={loginAddress}>{t('login.back')}</BackLink>
    </LoginCard>
  );
}

/** The sign-in address with the query parameters of this page. */
function useLoginAddress(): string {
  const query = new URLSearchParams(useLocation().search);
  query.delete('by');
  const text = query.toString();
  const { path } = pages.common.login;
  return text === '' ? path : `${path}?${text}`;
}
