let aheadMs = 0;

// The header counts in seconds and takes a moment to arrive; less is no difference.
const differenceMin = 5_000;

/**
 * Takes the time from the `date` header of a reply. Sales and limits end by the shop's clock, and a
 * phone whose clock is a day off would not show what can be bought.
 */
export function noteServerTime(date: string | null): void {
  const ms = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(ms)) return;
  aheadMs = Math.abs(ms) < differenceMin ? 0 : ms;
}

/** What time it is for the shop, in milliseconds. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
