import LifeBuoy from 'lucide-react/icons/life-buoy';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../shared/ui/toast.tsx';
import { useSupport } from './use-support.ts';

interface SupportButtonProps {
  className: string;
  /** Closes the menu around the button. */
  onAsk?: () => void;
}

/** The Help item of a menu: opens customer service, and shows a toast if that fails. */
export function SupportButton({ className, onAsk }: SupportButtonProps) {
  const { t } = useTranslation();
  const { ask, isBusy } = useSupport({
    onFailure: (failureIn) => showToast((say) => failureIn(say).title, 'bad'),
  });
  return (
    <button
      type="button"
      className={className}
      data-track="customer-service"
      aria-busy={isBusy || undefined}
      onClick={() => {
        ask();
        onAsk?.();
      }}
    >
      <LifeBuoy size={18} aria-hidden="true" />
      {t('nav.help')}
    </button>
  );
}
