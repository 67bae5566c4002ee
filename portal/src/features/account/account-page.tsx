import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { arePasskeysOffered } from '../../entities/passkeys/ceremony.ts';
import { AccountLayout } from './account-layout.tsx';
import { Budget } from './budget.tsx';
import { OwnData } from './own-data.tsx';
import { Passkeys } from './passkeys.tsx';
import { RealName } from './real-name.tsx';
import { Security } from './security.tsx';
import { Sessions } from './sessions.tsx';
import { SignedInAccount } from './signed-in-account.tsx';
import './account-page.css';

export function AccountPage({ gameName }: { gameName: ReactNode }) {
  const { t } = useTranslation();
  return (
    <AccountLayout title={t('titles.account')} lead={t('account.lead')}>
      <SignedInAccount gameName={gameName} />
      <div className="account-sections">
        <div className="account-column">
          <RealName />
          <Budget />
          <Security />
        </div>
        <div className="account-column">
          {arePasskeysOffered() && <Passkeys />}
          <Sessions />
          <OwnData />
        </div>
      </div>
    </AccountLayout>
  );
}
