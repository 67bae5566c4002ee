import { type Price, pointsUnit, toDecimalString } from '@pointgate/contract/money.ts';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale } from './i18n.ts';

export interface Format {
  /** Money as the language writes it; points are no money and carry their own name. */
  price: (price: Price) => string;
  points: (amount: bigint | number) => string;
  number: (amount: bigint | number) => string;
  /** A number that was added or taken, with its sign. */
  change: (amount: bigint | number) => string;
  dateTime: (iso: string) => string;
  /** A day of the calendar, which is the same in every time zone. */
  day: (isoDate: string) => string;
  /** The day of a moment, where the player is. */
  date: (iso: string) => string;
  /** For paper: the day in words, and the time with its zone. */
  stamp: (iso: string) => string;
  /** How long something takes, in its two largest units: days and hours, or a minute. */
  span: (ms: number) => string;
}

/** Amounts and times as the player's language writes them. */
export function useFormat(): Format {
  const { t, i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: locale and words follow the language.
  return useMemo(() => createFormat(currentLocale(), t), [i18n.resolvedLanguage]);
}

function createFormat(locale: string, t: TFunction): Format {
  const { format: number } = new Intl.NumberFormat(locale);
  const { format: change } = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const stamp = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long' });
  const points = (amount: bigint | number) => {
    const count = BigInt(amount) === 1n ? 1 : 2; // Only singular and plural differ.
    return t('points.amount', { count, amount: number(amount) });
  };
  return {
    price: ({ amountMinor, currency }) => {
      if (currency === pointsUnit) return points(amountMinor);
      return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(
        toDecimalString({ amountMinor, currency }) as `${number}`, // as: digits and a point
      );
    },
    points,
    number,
    change,
    dateTime: (iso) => dateTime.format(new Date(iso)),
    day: (isoDate) => day.format(new Date(isoDate)),
    date: (iso) => date.format(new Date(iso)),
    stamp: (iso) => stamp.format(new Date(iso)),
    span: (ms) => spanIn(locale, ms),
  };
}

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const; // as: else the units are any text

function spanIn(locale: string, ms: number): string {
  const left = Math.max(1, Math.ceil(ms / 1_000));
  const first = units.findIndex(({ seconds }) => left >= seconds);
  // Seconds beside minutes only make a page restless; alone they say that it is now.
  const shown = units
    .slice(first, first + 2)
    .filter(({ unit }, place) => place === 0 || unit !== 'second');
  const parts = shown.map(({ unit, seconds }, place) => {
    const before = shown[place - 1]?.seconds ?? Number.POSITIVE_INFINITY;
    return { unit, count: Math.floor((left % before) / seconds) };
  });
  return parts
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count),
    )
    .join(' ');
}
