import Copy from 'lucide-react/icons/copy';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../shared/ui/toast.tsx';
import './order-number.css';

/** The order number with a copy button, because it is long and needed by customer service. */
export function OrderNumber({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const copy = async () => {
    await navigator.clipboard.writeText(paymentId);
    showToast((say) => say('order.copied'));
  };
  return (
    <span className="order-number">
      <code>{paymentId}</code>
      <button type="button" onClick={() => void copy()} aria-label={t('order.copy')}>
        <Copy size={16} aria-hidden="true" />
      </button>
    </span>
  );
}
