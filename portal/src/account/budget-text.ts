import type { BudgetState } from '@pointgate/contract/people.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../i18n/format.ts';

/** What saving a budget will do, in words. */
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

/** What it has done, by what the shop answered, which has the last word on when it holds. */
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
