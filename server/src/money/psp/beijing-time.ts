// Chinese providers write every time in Beijing time and settle by its days.

const dayMs = 24 * 3600_000;
const beijingMs = 8 * 3600_000;

/** Beijing time as `2026-11-15 21:30:00`. */
export function beijingTime(at: Date): string {
  return new Date(at.getTime() + beijingMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses such a time; `undefined` if it is malformed. */
export function readBeijingTime(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  const at = new Date(`${text.replace(' ', 'T')}+08:00`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The end of a day such as `2026-11-15` in Beijing. */
export function endOfBeijingDay(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`) + dayMs;
}

/** The days in Beijing that overlap the period; `undefined` if there are more than `daysMax`. */
export function beijingDays(
  { from, until }: { from: Date; until: Date },
  daysMax: number,
): string[] | undefined {
  const first = Math.floor((from.getTime() + beijingMs) / dayMs) * dayMs;
  const days: string[] = [];
  for (let day = first; day < until.getTime() + beijingMs; day += dayMs) {
    if (days.length === daysMax) return undefined;
    days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
}
