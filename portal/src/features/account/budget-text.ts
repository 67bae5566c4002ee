import type { BudgetState } from '@pointgate/contract/people.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../shared/i18n/format.ts';

/** The text that explains what saving a budget will do. */
export function useBudgetNote() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ currency, amountMinor: current }: BudgetState, requested: bigint) => {
    const amount = format.price({ amountMinor: requested, currency });
    if (current === null) return t('budget.noteNew', { amount });
    if (requested < current) return t('budget.noteLower', { amount });
    if (requested === current) return t('budget.noteSame', { amount });
    return t('budget.noteRaise', {
      amount,
      current: format.price({ amountMinor: current, currency }),
    });
  };
}

/**
 * The text after saving, based on the response, because the server decides when the change applies.
 */
export function savedText(
  t: TFunction,
  format: Format,
  { currency, amountMinor, pending }: BudgetState,
): string {
  const priceOf = (minor: bigint) => format.price({ amountMinor: minor, currency });
  if (pending !== null) {
    const time = format.dateTime(pending.from);
    return pending.amountMinor === null
      ? t('budget.savedNone', { time })
      : t('budget.savedLater', { amount: priceOf(pending.amountMinor), time });
  }
  return amountMinor === null
    ? t('budget.none')
    : t('budget.savedNow', { amount: priceOf(amountMinor) });
}
