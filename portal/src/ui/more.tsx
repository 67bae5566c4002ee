import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import './more.css';

interface MoreProps {
  /** What could not be had, in words. */
  failedTitle: string;
  error: Error | null;
  isBusy: boolean;
  onMore: () => void;
}

/** Below a list that goes on. What is there stays, whether or not more of it comes. */
export function More({ failedTitle, error, isBusy, onMore }: MoreProps) {
  const { t } = useTranslation();
  return (
    <div className="more">
      {error !== null && (
        <Alert title={failedTitle}>
          <p>{errorText(t, error)}</p>
        </Alert>
      )}
      <Button kind="secondary" isBusy={isBusy} onClick={onMore}>
        {t(error === null ? 'global.more' : 'global.retry')}
      </Button>
    </div>
  );
}
