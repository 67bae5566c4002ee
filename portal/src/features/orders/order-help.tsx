import LifeBuoy from 'lucide-react/icons/life-buoy';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSupport } from '../../entities/support/use-support.ts';
import { Alert } from '../../shared/ui/alert.tsx';

/** Opens customer service with the order attached. */
export function OrderHelp({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const noteId = useId();
  const { ask, isBusy, failure } = useSupport({ paymentId });
  return (
    <div className="order-help">
      <button
        type="button"
        className="order-link"
        data-track="customer-service"
        aria-busy={isBusy || undefined}
        aria-describedby={noteId}
        onClick={ask}
      >
        <LifeBuoy size={18} aria-hidden="true" />
        {t('support.report')}
      </button>
      <p id={noteId}>{t('support.reportText')}</p>
      {failure !== null && (
        <Alert title={failure.title}>{failure.text !== null && <p>{failure.text}</p>}</Alert>
      )}
    </div>
  );
}
