import ChevronDown from 'lucide-react/icons/chevron-down';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useMainMenu } from '../../entities/addresses/menus.ts';
import { useToLink } from '../../entities/session/to-link.ts';
import { SupportButton } from '../../entities/support/support-button.tsx';
import { Disclosure } from '../../shared/ui/disclosure.tsx';
import { useNewsLinks } from './news-links.ts';

/** The pages of the site in the bar. Items that do not fit are also in the account menu. */
export function NavLinks() {
  const { t } = useTranslation();
  const toLink = useToLink();
  const links = useMainMenu();
  return (
    <nav aria-label={t('nav.main')} className="nav-links">
      {links.map(({ text, to }) =>
        text === 'nav.news' ? (
          <NewsMenu key={text} />
        ) : (
          <NavLink key={text} className="nav-link" to={toLink(to)}>
            {t(text)}
          </NavLink>
        ),
      )}
      <AccountLink />
      <SupportButton className="nav-link nav-wide nav-help" />
    </nav>
  );
}

/** Links to the first account page and is marked as current on all of them. */
function AccountLink() {
  const { t } = useTranslation();
  const { account } = useAddresses();
  const toLink = useToLink();
  const { pathname } = useLocation();
  const isCurrent = pathname.startsWith(account.slice(0, account.lastIndexOf('/') + 1));
  return (
    <Link
      className="nav-link nav-wide"
      to={toLink(account)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {t('nav.account')}
    </Link>
  );
}

function NewsMenu() {
  const { t } = useTranslation();
  const toLink = useToLink();
  const { links, isNews, tab } = useNewsLinks();
  return (
    <Disclosure
      label={t('nav.news')}
      className={isNews ? 'nav-link current' : 'nav-link'}
      face={
        <>
          {t('nav.news')}
          <ChevronDown size={16} aria-hidden="true" />
        </>
      }
      align="start"
    >
      {(close) => (
        <div>
          {links.map((link) => (
            <Link
              key={link.tab}
              className="menu-item"
              to={toLink(link.to)}
              aria-current={link.tab === tab ? 'page' : undefined}
              onClick={close}
            >
              {t(link.label)}
            </Link>
          ))}
        </div>
      )}
    </Disclosure>
  );
}
