/** The period after which a limit resets. */
export type Period = 'day' | 'week' | 'month' | 'ever';

interface Span {
  /** Such as `day:2026-11-15`, equal for all moments of the period. */
  name: string;
  /** The first moment of the next period, or null if there is none. */
  endsAt: Date | null;
}

/** The day, week (from Monday) or month of a moment in the time zone of the site. */
export function spanAt(period: Period, at: Date, timeZone: string): Span {
  if (period === 'ever') return { name: period, endsAt: null };
  const first = firstDayOf(period, localDateAt(at, timeZone));
  // The first of a month plus 31 days is always in the next month.
  const next = firstDayOf(period, addDays(first, { day: 1, week: 7, month: 31 }[period]));
  return { name: `${period}:${first}`, endsAt: startOfDay(next, timeZone) };
}

const dayMs = 24 * 60 * 60_000;

/**
 * Calendar days are text such as `2026-11-15`, computed in UTC because it has no daylight saving.
 */
function utcOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function addDays(date: string, days: number): string {
  return new Date(utcOf(date) + days * dayMs).toISOString().slice(0, 10);
}

function firstDayOf(period: 'day' | 'week' | 'month', date: string): string {
  if (period === 'day') return date;
  if (period === 'month') return `${date.slice(0, 7)}-01`;
  const daysSinceMonday = (new Date(utcOf(date)).getUTCDay() + 6) % 7;
  return addDays(date, -daysSinceMonday);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Cached per time zone, because creating a formatter is a hundred times slower than using it. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** The local time as a UTC timestamp. */
function wallTimeAt(at: number, timeZone: string): number {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const year = part('year').padStart(4, '0');
  const date = `${year}-${part('month')}-${part('day')}`;
  return Date.parse(`${date}T${part('hour')}:${part('minute')}:${part('second')}Z`);
}

function localDateAt(at: Date, timeZone: string): string {
  return new Date(wallTimeAt(at.getTime(), timeZone)).toISOString().slice(0, 10);
}

/** The first moment of a day. If daylight saving skips midnight, it is the end of the gap. */
function startOfDay(date: string, timeZone: string): Date {
  const midnight = utcOf(date);
  const offsetAt = (at: number) => wallTimeAt(at, timeZone) - at;
  // The offset changes at most once in these two days, so one of the two offsets fits midnight.
  const candidates = [midnight - dayMs, midnight + dayMs].map((near) => midnight - offsetAt(near));
  const isToday = (at: number) => wallTimeAt(at, timeZone) >= midnight;
  const earliest = candidates.filter(isToday).sort((one, other) => one - other)[0];
  return new Date(earliest ?? Math.max(...candidates));
}
