import type { SignedIn } from '@pointgate/contract/accounts.ts';
import { providerMethods, signInProviders } from '@pointgate/contract/sign-in-providers.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { providers } from '../../entities/credentials/sign-in-providers.tsx';
import { sessionQuery } from '../../entities/session/session.ts';
import { avatarArt } from '../../shared/ui/art.ts';

/** The account data of the session, which needs no further request. */
export function SignedInAccount({ gameName }: { gameName: ReactNode }) {
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
  return (type: SignedIn['accountType']): string => {
    if (type === 'ACCOUNT') return t('account.byName');
    if (type === 'EMAIL') return t('login.email');
    if (type === 'MOBILE') return t('login.phone');
    const method = providerMethods.find((each) => signInProviders[each].accountType === type);
    return method === undefined ? '' : providers[method].name(t);
  };
}
