import { AppError } from './errors.ts';
import type { Limit, ReturnableLimits } from './limits.ts';

// What a signed-in account may do with the time of others, and how much of it may lie around unpaid. By
// account and not by session: an account has a session on each site, and a new one costs nothing.

export interface PlayerBounds {
  /** Orders of one account that are open and unpaid at the same moment. */
  unpaidOrdersMax: number;
  /** Throws where the account has asked games too often. */
  beforeGameCall(accountId: string): Promise<void>;
  /** Throws where the account has asked providers too often, for this order or for all of its orders. */
  beforePaymentCall(order: { accountId: string; paymentId: string }): Promise<void>;
  /** Throws where the account has traded codes of WeChat too often. */
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
      // One order alone cannot use up what the account has for all.
      const ofOrder = Math.ceil(perHour / 3);
      await take({ key: `payments:order:${paymentId}`, max: ofOrder, seconds: 60 * 60 });
      await take({ key: `payments:${accountId}`, max: perHour, seconds: 60 * 60 });
    },
    beforeOpenIdCall: (accountId) => take({ key: `open-id:${accountId}`, ...openIdCalls }),
  };
}
