import { AppError } from './errors.ts';
import type { Limit, ReturnableLimits } from './limits.ts';

// Limits on the external calls and unpaid orders of a signed-in account. By account and not by
// session, because an account has a session on each site and new sessions cost nothing.

export interface PlayerBounds {
  /** The maximum number of open, unpaid orders of an account. */
  unpaidOrdersMax: number;
  /** Throws if the account has made too many game calls. */
  beforeGameCall(accountId: string): Promise<void>;
  /**
   * Throws if the account has made too many payment calls, for this order or for all its orders.
   */
  beforePaymentCall(order: { accountId: string; paymentId: string }): Promise<void>;
  /** Throws if the account has exchanged too many WeChat codes. */
  beforeOpenIdCall(accountId: string): Promise<void>;
}

const openIdCalls = { max: 20, seconds: 60 * 60 };

export function openPlayerBounds(
  limits: ReturnableLimits,
  max: { unpaidOrders: number; paymentCallsPerHour: number; gameCallsInFiveMinutes: number },
): PlayerBounds {
  const take = async (limit: Limit) => {
    if (await limits.take(limit)) return;
    const retryAfterSeconds = Math.max(1, await limits.secondsLeft(limit));
    throw new AppError('SignInThrottled', null, { retryAfterSeconds });
  };
  return {
    unpaidOrdersMax: max.unpaidOrders,
    beforeGameCall: (accountId) =>
      take({ key: `games:${accountId}`, max: max.gameCallsInFiveMinutes, seconds: 5 * 60 }),
    beforePaymentCall: async ({ accountId, paymentId }) => {
      const { paymentCallsPerHour: perHour } = max;
      // A single order cannot use up the limit of the whole account.
      const ofOrder = Math.ceil(perHour / 3);
      await take({ key: `payments:order:${paymentId}`, max: ofOrder, seconds: 60 * 60 });
      await take({ key: `payments:${accountId}`, max: perHour, seconds: 60 * 60 });
    },
    beforeOpenIdCall: (accountId) => take({ key: `open-id:${accountId}`, ...openIdCalls }),
  };
}
