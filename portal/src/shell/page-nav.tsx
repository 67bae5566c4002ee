import ExternalLink from 'lucide-react/icons/external-link';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { usePageLinks } from './page-links.ts';
import './page-nav.css';

/** The way to what every visitor may read. What lies elsewhere opens beside the shop. */
export function PageNav() {
  const { t } = useTranslation();
  const links = usePageLinks();
  return (
    <nav className="page-nav" aria-label={t('footer.label')}>
      {links.map(({ words, address, isElsewhere }) =>
        isElsewhere ? (
          <a key={words} href={address} target="_blank" rel="noopener">
            {t(words)}
            <ExternalLink size={14} aria-hidden="true" />
            <span className="visually-hidden">, {t('footer.newTab')}</span>
          </a>
        ) : (
          <NavLink key={words} to={address}>
            {t(words)}
          </NavLink>
        ),
      )}
    </nav>
  );
}
