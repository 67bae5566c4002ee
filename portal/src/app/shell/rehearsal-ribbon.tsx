import { useTranslation } from 'react-i18next';
import './rehearsal-ribbon.css';

/** Tells players of a rehearsal on every page, scrolled or not, that nothing here is real money. */
export function RehearsalRibbon() {
  const { t } = useTranslation();
  return <p className="rehearsal-ribbon">{t('rehearsal')}</p>;
}
