import { useTranslation } from 'react-i18next';
import { errorText } from '../i18n/error-text.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import './more.css';

interface MoreProps {
  /** The title of the error when the next page fails to load. */
  failedTitle: string;
  error: Error | null;
  isBusy: boolean;
  onMore: () => void;
}

/** The "Show more" button below a paginated list. Loaded entries stay if the next page fails. */
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
