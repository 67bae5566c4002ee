import Menu from 'lucide-react/icons/menu';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { useSiteConfig } from '../config/site-config.tsx';
import { useUser } from '../session/session.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { Logo } from '../ui/logo.tsx';
import { useIsMobile } from '../ui/use-media-query.ts';
import { AccountMenu } from './account-menu.tsx';
import { BalancePill } from './balance-pill.tsx';
import { LanguagePicker } from './language-picker.tsx';
import './nav.css';

export function Nav() {
  const { t } = useTranslation();
  const { siteTitle } = useSiteConfig();
  const { login } = useUser();
  const isMobile = useIsMobile();
  return (
    <header className="nav">
      <div className="nav-in">
        {login && isMobile && (
          <Disclosure
            label={t('nav.menu')}
            className="icon-button"
            face={<Menu size={20} aria-hidden="true" />}
            align="start"
          >
            {(close) => (
              <nav aria-label={t('nav.main')} className="nav-menu">
                <PageLinks onChoose={close} />
              </nav>
            )}
          </Disclosure>
        )}
        <Link className="nav-logo" to="/main">
          <Logo size={isMobile ? 26 : 32} />
          <span>{siteTitle}</span>
        </Link>
        {login && !isMobile && (
          <nav aria-label={t('nav.main')} className="nav-links">
            <PageLinks />
          </nav>
        )}
        <div className="nav-end">
          <LanguagePicker />
          {login && <BalancePill />}
          {login && <AccountMenu />}
        </div>
      </div>
    </header>
  );
}

function PageLinks({ onChoose }: { onChoose?: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <NavLink to="/main/home" onClick={onChoose}>
        {t('nav.home')}
      </NavLink>
      <NavLink to="/main/recharge" onClick={onChoose}>
        {t('nav.recharge')}
      </NavLink>
      <NavLink to="/main/account" onClick={onChoose}>
        {t('nav.account')}
      </NavLink>
    </>
  );
}
