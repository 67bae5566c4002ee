import type { BudgetState } from '@pointgate/contract/people.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';

/** A budget in words: what saving it will do, and what it has done. */
export function useBudgetText() {
  const { t } = useTranslation();
  const format = useFormat();

  const beforehand = ({ currency, amountMinor: current }: BudgetState, requested: bigint) => {
    const amount = format.price({ amountMinor: requested, currency });
    if (current === null) return t('budget.noteNew', { amount });
    if (requested < current) return t('budget.noteLower', { amount });
    if (requested === current) return t('budget.noteSame', { amount });
    return t('budget.noteRaise', {
      amount,
      current: format.price({ amountMinor: current, currency }),
    });
  };

  /** Said by what the shop answered, which has the last word on when it holds. */
  const afterwards = ({ currency, amountMinor, pending }: BudgetState) => {
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
  };

  return { beforehand, afterwards };
}
