import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { arePasskeysOffered } from '../passkeys/ceremony.ts';
import { KeyArt } from '../ui/hero.tsx';
import { Budget } from './budget.tsx';
import { Passkeys } from './passkeys.tsx';
import { RealName } from './real-name.tsx';
import { WhoIAm } from './who-i-am.tsx';
import './account-page.css';

export function AccountPage({ gameName }: { gameName: ReactNode }) {
  const { t } = useTranslation();
  return (
    <main className="account-page" id="main">
      <KeyArt />
      <div className="account-body">
        <header className="account-head">
          <h1>{t('titles.account')}</h1>
          <p>{t('account.lead')}</p>
        </header>
        <WhoIAm gameName={gameName} />
        <div className="account-sections">
          <RealName />
          <Budget />
          {arePasskeysOffered() && <Passkeys />}
        </div>
      </div>
    </main>
  );
}
