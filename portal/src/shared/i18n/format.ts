import { type Price, pointsUnit, toDecimalString } from '@pointgate/contract/money.ts';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { currentLocale } from './i18n.ts';

export interface Format {
  /** A price in the format of the language; E Points carry their own name. */
  price: (price: Price) => string;
  points: (amount: bigint | number) => string;
  number: (amount: bigint | number) => string;
  /** A change of a number, with its sign. */
  change: (amount: bigint | number) => string;
  dateTime: (iso: string) => string;
  /** A calendar date, independent of the time zone. */
  day: (isoDate: string) => string;
  /** The date of a time, in the time zone of the player. */
  date: (iso: string) => string;
  /** The end of something: the time of today, else with its date. */
  until: (iso: string, nowMs: number) => string;
  /** For receipts: the date in words, and the time with its zone. */
  stamp: (iso: string) => string;
  /** A duration in its two largest units: days and hours, or a minute. */
  span: (ms: number) => string;
}

/** Formats amounts and times in the language of the player. */
export function useFormat(): Format {
  // Rerenders the component on a change of language.
  useTranslation();
  return formatIn(currentLocale());
}

const formats = new Map<string, Format>();

/** Shared by all components of a page, because creating an Intl formatter is slow. */
function formatIn(locale: string): Format {
  const format = formats.get(locale) ?? createFormat(locale);
  formats.set(locale, format);
  return format;
}

function createFormat(locale: string): Format {
  const number = once(() => new Intl.NumberFormat(locale));
  const change = once(() => new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }));
  const timeIn = (options: Intl.DateTimeFormatOptions) => {
    const formatter = once(() => new Intl.DateTimeFormat(locale, options));
    return (iso: string) => formatter().format(new Date(iso));
  };
  const clock = timeIn({ timeStyle: 'short' });
  const dateAndClock = timeIn({ dateStyle: 'medium', timeStyle: 'short' });
  const points = (amount: bigint | number) => {
    const count = BigInt(amount) === 1n ? 1 : 2; // Only singular and plural differ.
    return i18next.t('points.amount', { count, amount: number().format(amount) });
  };
  const moneyFormatters = new Map<string, Intl.NumberFormat>();
  const moneyIn = (currency: string) => {
    const formatter =
      moneyFormatters.get(currency) ??
      new Intl.NumberFormat(locale, { style: 'currency', currency });
    moneyFormatters.set(currency, formatter);
    return formatter;
  };
  return {
    price: ({ amountMinor, currency }) => {
      if (currency === pointsUnit) return points(amountMinor);
      return moneyIn(currency).format(
        toDecimalString({ amountMinor, currency }) as `${number}`, // as: digits and a point
      );
    },
    points,
    number: (amount) => number().format(amount),
    change: (amount) => change().format(amount),
    dateTime: timeIn({ dateStyle: 'medium', timeStyle: 'medium' }),
    day: timeIn({ dateStyle: 'medium', timeZone: 'UTC' }),
    date: timeIn({ dateStyle: 'medium' }),
    until: (iso, nowMs) => (isSameDay(new Date(iso), new Date(nowMs)) ? clock : dateAndClock)(iso),
    stamp: timeIn({ dateStyle: 'long', timeStyle: 'long' }),
    span: (ms) => spanIn(locale, ms),
  };
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

/** Creates a value on first use and caches it. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
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
  // Seconds are shown only below a minute: beside minutes they would change all the time.
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
