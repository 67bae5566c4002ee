import { type Money, toDecimalString } from '@pointgate/contract/money.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale } from './i18n.ts';

export interface Format {
  money: (money: Money) => string;
  number: (amount: bigint | number) => string;
  dateTime: (iso: string) => string;
  time: (iso: string) => string;
}

/** Amounts and times as the player's language writes them. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the locale follows the language.
  return useMemo(() => createFormat(currentLocale()), [i18n.resolvedLanguage]);
}

function createFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  return {
    money: (money) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency: money.currency }).format(
        toDecimalString(money) as `${number}`, // as: it is digits and a point by construction
      ),
    number: (amount) => number.format(amount),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
  };
}
