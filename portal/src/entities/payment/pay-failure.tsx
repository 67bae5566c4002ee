import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { moneyNote } from './money-note.ts';
import { limitResetOf } from './refusal-data.ts';

/** The error of a payment: the reason, the next possible time and what was charged. */
export function PayFailure({ error, method }: { error: unknown; method: PaymentMethod }) {
  const { t } = useTranslation();
  const format = useFormat();
  const resetAt = limitResetOf(error);
  return (
    <Alert title={errorText(t, error)}>
      {resetAt !== null && <p>{t('recharge.limitAgain', { time: format.dateTime(resetAt) })}</p>}
      <p>{t(moneyNote(error, method))}</p>
    </Alert>
  );
}
