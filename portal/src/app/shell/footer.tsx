import { useTranslation } from 'react-i18next';
import { PageNav } from '../../entities/addresses/page-nav.tsx';
import { serverNow } from '../../shared/api/server-clock.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import './footer.css';

const ofl = { licence: 'SIL Open Font License 1.1', licenceUrl: 'https://openfontlicense.org/' };
const isc = { licence: 'ISC License', licenceUrl: 'https://lucide.dev/license' };

// Third-party works shown in the portal, with their licences.
const works = [
  { kind: 'footer.icons', name: 'Lucide', url: 'https://lucide.dev/', ...isc },
  { kind: 'footer.fonts', name: 'Manrope', url: 'https://manropefont.com/', ...ofl },
  {
    kind: 'footer.fonts',
    name: 'Marcellus',
    url: 'https://fonts.google.com/specimen/Marcellus',
    ...ofl,
  },
] as const;

/** The footer: content pages of the publisher and credits. */
export function Footer() {
  const { t } = useTranslation();
  const { siteTitle } = useSiteConfig();
  const year = new Date(serverNow()).getFullYear();
  return (
    <footer className="footer">
      <div className="footer-in">
        <div className="footer-site">
          <Logo size={28} />
          <span>{siteTitle}</span>
        </div>
        <PageNav />
        <div className="footer-small">
          <p>
            © {year} {siteTitle}
          </p>
          <details>
            <summary>{t('footer.credits')}</summary>
            <ul>
              {works.map(({ kind, name, url, licence, licenceUrl }) => (
                <li key={name}>
                  {t(kind)}: <a href={url}>{name}</a>, <a href={licenceUrl}>{licence}</a>
                </li>
              ))}
            </ul>
          </details>
        </div>
      </div>
    </footer>
  );
}
