let aheadMs: number | null = null;

// The header counts in seconds and takes a moment to arrive; less is no difference.
const differenceMin = 5_000;

/**
 * Takes the time from the `date` header of a reply. It was true when the reply left, about half a
 * round trip ago.
 */
export function noteServerTime(date: string | null, roundTripMs: number): void {
  const ms = date === null ? Number.NaN : Date.parse(date) + roundTripMs / 2 - Date.now();
  if (Number.isNaN(ms)) return;
  // Nobody knows on which half of a slow way the time went; better than nothing, and nothing else.
  if (aheadMs === null || roundTripMs < differenceMin) aheadMs = Math.round(ms);
}

/** What to add to the browser's clock to get the shop's; `null` while no reply has said. */
export function serverAheadMs(): number | null {
  return aheadMs;
}

/**
 * What time it is for the shop, in milliseconds. Sales and limits end by the shop's clock, and a
 * phone whose clock is a day off would not show what can be bought.
 */
export function serverNow(): number {
  const ms = aheadMs ?? 0;
  return Date.now() + (Math.abs(ms) < differenceMin ? 0 : ms);
}
