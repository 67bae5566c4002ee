import type { CurrencyCode } from '@pointgate/contract/money.ts';

/** What somebody may pay, in the smallest unit of the pack's currency. */
export interface Limits {
  /** At once; null is without limit. */
  paymentMinor: bigint | null;
  /** In a calendar month of the pack's time zone; null is without limit. */
  monthMinor: bigint | null;
}

/** From this age on, up to the next band's. */
interface AgeBand {
  fromAge: number;
  /** Null is without limits. */
  limits: Limits | null;
}

/**
 * What a region's law asks of a shop, as data. It knows one currency: what is paid in another one
 * cannot be compared, and is refused to whoever has limits.
 */
export interface PolicyPack {
  timeZone: string;
  currency: CurrencyCode;
  /** Nobody pays before full name, identity number and birthday are known. */
  needsRealName: boolean;
  /** The youngest first, beginning at 0. Where the birthday is unknown, none of them applies. */
  bands: readonly AgeBand[];
}

/** Nothing of what the law allows to somebody of unknown age, if it needs no real name. */
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

/** Whole years on a day, both as `2026-11-15`. Who was born on 29 February waits for 1 March. */
export function ageAt(birthday: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) < birthday.slice(5) ? years - 1 : years;
}

/** The date that a calendar on the wall there shows. */
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
