import type { CurrencyCode } from '@pointgate/contract/money.ts';

/** Spending limits in the smallest unit of the pack's currency. */
export interface Limits {
  /** Per payment; null means no limit. */
  paymentMinor: bigint | null;
  /** Per calendar month in the pack's time zone; null means no limit. */
  monthMinor: bigint | null;
}

/** Applies from this age up to the next band. */
interface AgeBand {
  fromAge: number;
  /** Null means no limits. */
  limits: Limits | null;
}

/**
 * The legal spending rules of a region, as data. Amounts in another currency cannot be compared, so
 * they are refused to players with limits.
 */
export interface PolicyPack {
  timeZone: string;
  currency: CurrencyCode;
  /** Whether full name, identity number and birthday must be known before a payment. */
  needsRealName: boolean;
  /** Youngest first, beginning at 0. None applies if the birthday is unknown. */
  bands: readonly AgeBand[];
}

/**
 * The limits of a player at this time; null means no limits. An unknown birthday has none; a pack
 * that must prevent this needs a real name.
 */
export function limitsAt(
  pack: PolicyPack,
  { birthday, now }: { birthday: string | null; now: Date },
): Limits | null {
  if (birthday === null) return null;
  const age = ageAt(birthday, dayIn(pack.timeZone, now));
  const band = pack.bands.findLast(({ fromAge }) => fromAge <= Math.max(0, age));
  return band?.limits ?? null;
}

export function isWithin(
  { paymentMinor, monthMinor }: Limits,
  { amountMinor, spentMinor }: { amountMinor: bigint; spentMinor: bigint },
): boolean {
  const fitsPayment = paymentMinor === null || amountMinor <= paymentMinor;
  const fitsMonth = monthMinor === null || spentMinor + amountMinor <= monthMinor;
  return fitsPayment && fitsMonth;
}

/**
 * Age in whole years on a day, both as `2026-11-15`. A birthday on 29 February counts on 1 March in
 * other years.
 */
export function ageAt(birthday: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) < birthday.slice(5) ? years - 1 : years;
}

/** The local date in a time zone. */
function dayIn(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}
