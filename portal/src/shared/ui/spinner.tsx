import { useTranslation } from 'react-i18next';
import './spinner.css';

/** Fills the page while its code is loading. */
export function Spinner() {
  const { t } = useTranslation();
  return (
    <div className="spinner" role="progressbar" aria-label={t('global.loading')}>
      <span />
    </div>
  );
}
