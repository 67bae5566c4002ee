import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import './section.css';

interface SectionFailedProps {
  /** What could not be had, in words. */
  title: string;
  error: unknown;
  onRetry: () => void;
}

/** A part of a page that did not come, while the rest of it stands. */
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
