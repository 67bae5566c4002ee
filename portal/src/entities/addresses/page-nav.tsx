import ExternalLink from 'lucide-react/icons/external-link';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { NewTabNote, OutsideLink } from '../../shared/ui/outside-link.tsx';
import { usePageLinks } from './page-links.ts';
import './page-nav.css';

/** Links to the public content pages. External pages open in a new tab. */
export function PageNav() {
  const { t } = useTranslation();
  const links = usePageLinks();
  return (
    <nav className="page-nav" aria-label={t('footer.label')}>
      {links.map(({ words, address, isElsewhere }) =>
        isElsewhere ? (
          <OutsideLink key={words} href={address}>
            {t(words)}
            <ExternalLink size={14} aria-hidden="true" />
            <NewTabNote />
          </OutsideLink>
        ) : (
          <NavLink key={words} to={address}>
            {t(words)}
          </NavLink>
        ),
      )}
    </nav>
  );
}
