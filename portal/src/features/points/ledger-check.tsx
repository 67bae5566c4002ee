import { ledgerFilePath } from '@pointgate/contract/points.ts';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Download from 'lucide-react/icons/download';
import FileCode from 'lucide-react/icons/file-code-corner';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import './ledger-check.css';

const ledgerFile = 'epoint-ledger.txt';
const checkerFile = 'verify-ledger.mjs';

/** The download of the ledger, and how to verify it independently of the server. */
export function LedgerCheck() {
  const { t } = useTranslation();
  const headingId = useId();
  const { cgi } = useSiteConfig().gameInfo;
  return (
    <section className="point-section" aria-labelledby={headingId}>
      <header>
        <ShieldCheck size={20} aria-hidden="true" />
        <h2 id={headingId}>{t('ledger.title')}</h2>
      </header>
      <p className="ledger-text">{t('points.ledgerText')}</p>
      <p className="ledger-links">
        <a className="button secondary" href={cgi + ledgerFilePath} download={ledgerFile}>
          <span className="button-label">
            <Download size={18} aria-hidden="true" />
            {t('points.ledger')}
          </span>
        </a>
        <a className="button secondary" href={`/${checkerFile}`} download={checkerFile}>
          <span className="button-label">
            <FileCode size={18} aria-hidden="true" />
            {t('ledger.checker')}
          </span>
        </a>
      </p>
      <details className="ledger-how">
        <summary>
          {t('ledger.how')}
          <ChevronDown size={18} aria-hidden="true" />
        </summary>
        <ol>
          <li>{t('ledger.step1')}</li>
          <li>
            {t('ledger.step2')}
            <code>
              node {checkerFile} {ledgerFile}
            </code>
          </li>
          <li>{t('ledger.step3')}</li>
        </ol>
      </details>
    </section>
  );
}
