import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import './section.css';

interface SectionFailedProps {
  /** The title of the error. */
  title: string;
  error: unknown;
  onRetry: () => void;
}

/** The error of a section that failed to load, while the rest of the page is shown. */
export function SectionFailed({ title, error, onRetry }: SectionFailedProps) {
  const { t } = useTranslation();
  return (
    <div className="section-failed">
      <Alert title={title}>
        <p>{errorText(t, error)}</p>
      </Alert>
      <Button kind="secondary" onClick={onRetry}>
        {t('global.retry')}
      </Button>
    </div>
  );
}
