import type { Money } from '@pointgate/contract/money.ts';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { useSetBudget } from './account-queries.ts';
import { savedText } from './budget-text.ts';

interface BudgetRemovalProps {
  current: Money;
  onClose: () => void;
}

export function BudgetRemoval({ current, onClose }: BudgetRemovalProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const remove = useSetBudget({
    currency: current.currency,
    onSaved: (saved) => {
      showToast((say, by) => savedText(say, by, saved));
      onClose();
    },
  });
  return (
    <Modal name="budget-remove" title={t('budget.removeTitle')} size="small" onClose={onClose}>
      <p>{t('budget.removeText', { amount: format.price(current) })}</p>
      {remove.isError && (
        <Alert title={t('budget.saveFailed')}>
          <p>{errorText(t, remove.error)}</p>
        </Alert>
      )}
      <div className="account-choice">
        <Button kind="secondary" isBusy={remove.isPending} onClick={() => remove.mutate(null)}>
          {t('budget.removeSubmit')}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {t('global.cancel')}
        </Button>
      </div>
    </Modal>
  );
}
