import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useAccountMenu } from '../../entities/addresses/menus.ts';
import { KeyArt } from '../../shared/ui/hero.tsx';
import './account-layout.css';

interface AccountLayoutProps {
  title: string;
  lead: string;
  children: ReactNode;
}

/** The shared layout of the account pages: key art, title and links to the other account pages. */
export function AccountLayout({ title, lead, children }: AccountLayoutProps) {
  return (
    <main className="account-page" id="main">
      <KeyArt />
      <div className="account-body">
        <header className="account-head">
          <h1>{title}</h1>
          <p>{lead}</p>
        </header>
        <AccountPages />
        {children}
      </div>
    </main>
  );
}

function AccountPages() {
  const { t } = useTranslation();
  const pages = useAccountMenu();
  return (
    <nav className="account-pages" aria-label={t('account.pages')}>
      {pages.map(({ to, text, Icon }) => (
        <NavLink key={to} to={to}>
          <Icon size={18} aria-hidden="true" />
          {/* The tabs share a line, so that the account has a shorter text in some languages. */}
          <span>{t(text === 'nav.accountInfo' ? 'account.tab' : text)}</span>
        </NavLink>
      ))}
    </nav>
  );
}
