import type { BudgetState } from '@pointgate/contract/people.ts';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../shared/forms/text-field.tsx';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { currentLocale } from '../../shared/i18n/i18n.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { useSetBudget } from './account-queries.ts';
import { savedText, useBudgetNote } from './budget-text.ts';
import { toMinor } from './typed-amount.ts';

interface BudgetDialogProps {
  budget: BudgetState;
  onClose: () => void;
}

/** Explains what a new amount does and when, before and after saving. */
export function BudgetDialog({ budget, onClose }: BudgetDialogProps) {
  const { t } = useTranslation();
  const noteOf = useBudgetNote();
  const { currency } = budget;
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const save = useSetBudget({
    currency,
    onSaved: (saved) => {
      showToast((say, format) => savedText(say, format, saved));
      onClose();
    },
  });
  const amountMinor = toMinor(typed, { currency, locale: currentLocale() });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (amountMinor === null) form.current?.querySelector('input')?.focus();
    else if (!save.isPending) save.mutate(amountMinor);
  };

  return (
    <Modal
      name="budget"
      title={t(budget.amountMinor === null ? 'budget.setTitle' : 'budget.changeTitle')}
      onClose={onClose}
    >
      <form className="account-form" onSubmit={submit} noValidate ref={form}>
        <TextField
          label={t('budget.amount', { currency })}
          value={typed}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          isMissing={isChecked && typed.trim() === ''}
          problem={isChecked && amountMinor === null ? t('budget.invalid') : null}
          onChange={setTyped}
          onLeave={() => setIsChecked(typed !== '')}
        />
        <div className="budget-note" aria-live="polite">
          {amountMinor === null ? <p>{t('budget.rule')}</p> : <p>{noteOf(budget, amountMinor)}</p>}
        </div>
        {amountMinor !== null && <UsedUp budget={budget} amountMinor={amountMinor} />}
        {save.isError && (
          <Alert title={t('budget.saveFailed')}>
            <p>{errorText(t, save.error)}</p>
          </Alert>
        )}
        <Button kind="primary" type="submit" isBusy={save.isPending}>
          {t('budget.save')}
        </Button>
      </form>
    </Modal>
  );
}

/** Warns that an amount already spent allows no further purchase this month. */
function UsedUp({ budget, amountMinor }: { budget: BudgetState; amountMinor: bigint }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { spentMinor, currency } = budget;
  if (spentMinor <= 0n || amountMinor > spentMinor) return null;
  const spent = format.price({ amountMinor: spentMinor, currency });
  return <Notice tone="warn" title={t('budget.noteSpent', { spent })} />;
}
