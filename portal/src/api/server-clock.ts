let aheadMs: number | null = null;

/** Takes the time that the shop said, in seconds. It was true about half a round trip ago. */
export function noteServerTime(seconds: number, roundTripMs: number): void {
  aheadMs = Math.round(seconds * 1000 + roundTripMs / 2 - Date.now());
}

/** What to add to the browser's clock to get the shop's; `null` while the shop has not said. */
export function serverAheadMs(): number | null {
  return aheadMs;
}

/**
 * What time it is for the shop, in milliseconds. Sales and limits end by the shop's clock, and a
 * phone whose clock is a day off would not show what can be bought.
 */
export function serverNow(): number {
  return Date.now() + (aheadMs ?? 0);
}
