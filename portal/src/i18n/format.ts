import { type Price, pointsUnit, toDecimalString } from '@pointgate/contract/money.ts';
import i18next from 'i18next';
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
  // Whoever shows them is drawn anew in another language.
  useTranslation();
  return formatIn(currentLocale());
}

const formats = new Map<string, Format>();

/** One for all who show amounts: dozens do on one page, and a formatter takes long to make. */
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
    stamp: timeIn({ dateStyle: 'long', timeStyle: 'long' }),
    span: (ms) => spanIn(locale, ms),
  };
}

/** Made when it is first needed, and then kept. */
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
