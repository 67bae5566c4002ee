import Coins from 'lucide-react/icons/coins';
import ReceiptText from 'lucide-react/icons/receipt-text';
import UserRound from 'lucide-react/icons/user-round';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
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
  const { account, orders, pointsRecord } = useAddresses();
  const pages = [
    { to: account, text: t('account.tab'), Icon: UserRound },
    { to: orders, text: t('titles.rechargeRecord'), Icon: ReceiptText },
    { to: pointsRecord, text: t('titles.epointRecord'), Icon: Coins },
  ];
  return (
    <nav className="account-pages" aria-label={t('account.pages')}>
      {pages.map(({ to, text, Icon }) => (
        <NavLink key={to} to={to}>
          <Icon size={18} aria-hidden="true" />
          <span>{text}</span>
        </NavLink>
      ))}
    </nav>
  );
}
