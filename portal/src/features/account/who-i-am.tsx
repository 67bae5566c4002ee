import type { SignedIn } from '@pointgate/contract/accounts.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../entities/session/session.ts';
import { avatarArt } from '../../shared/ui/art.ts';

/** The account data of the session, which needs no further request. */
export function WhoIAm({ gameName }: { gameName: ReactNode }) {
  const { t } = useTranslation();
  const nameId = useId();
  const session = useSuspenseQuery(sessionQuery).data;
  const methodOf = useSignInName();
  // The session is already signed out while the next page loads.
  if (!session.login) return null;
  const facts: [label: string, value: ReactNode][] = [
    [t('order.account'), session.userId],
    [t('account.gameAccount'), session.gameAccountId ?? t('account.noGameAccount')],
    [t('order.game'), gameName],
    [t('account.signIn'), methodOf(session.accountType)],
  ];
  const known = facts.filter(([, value]) => value !== null);
  return (
    <section className="who" aria-labelledby={nameId}>
      <img className="who-avatar" src={avatarArt} width={84} height={84} alt="" />
      <h2 id={nameId}>{session.displayName}</h2>
      <dl>
        {known.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function useSignInName() {
  const { t } = useTranslation();
  const names: Record<SignedIn['accountType'], string> = {
    ACCOUNT: t('account.byName'),
    EMAIL: t('login.email'),
    MOBILE: t('login.phone'),
    // Product names are the same in all languages but one.
    APPLE_SIGN_IN: 'Apple',
    FACEBOOK: 'Facebook',
    GOOGLE_PLAY_GAME: 'Google',
    WECHAT: t('login.wechat'),
  };
  return (type: SignedIn['accountType']) => names[type];
}
