let aheadMs: number | null = null;

/** Stores the server time, in seconds, corrected by half of the round-trip time. */
export function noteServerTime(seconds: number, roundTripMs: number): void {
  aheadMs = Math.round(seconds * 1000 + roundTripMs / 2 - Date.now());
}

/** The offset of the server clock to the browser clock; `null` while it is unknown. */
export function serverAheadMs(): number | null {
  return aheadMs;
}

/**
 * The current server time in milliseconds. Sales and limits end by the server clock, and a phone
 * whose clock is a day off would show wrong offers.
 */
export function serverNow(): number {
  return Date.now() + (aheadMs ?? 0);
}
