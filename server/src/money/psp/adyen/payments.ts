import type { CloseResult } from '../psp.ts';

/** Adyen has no API to query a payment: it reports every change in signed webhooks. */
export const cannotBeQueried = { outcome: 'unknown', cause: 'Adyen has no payment query' } as const;

/**
 * Adyen has no call that closes a session: it stays open until it expires. `not_found` makes the payment
 * engine wait for that.
 */
export const cannotBeClosed: CloseResult = { outcome: 'not_found' };
