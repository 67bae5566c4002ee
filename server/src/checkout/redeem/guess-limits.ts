import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { Limit, ReturnableLimits } from '../../platform/limits.ts';

// A code has 74 random bits, so guessing finds nothing: with a million codes and a thousand guesses a
// second, one hit takes five hundred thousand years. These limits save server time and separate
// players who mistype from programs that guess. They are counted in Redis, or per process while
// Redis is down.
//
// Only failed attempts count. Each attempt takes from the limits before the lookup and is returned
// on success, so that a thousand concurrent guesses cannot pass before the first one has failed.
//
// A limit per site alone would let an attacker block every player. While a site is over its limit,
// an account without a failed attempt is still admitted: a player with a valid code can redeem it,
// and an attacker needs another account for each further guess.
//
// A throttled request is delayed, so that a program that retries in sequence costs almost nothing.

interface Guesser {
  accountId: string;
  network: string;
  siteId: string;
}

const hourSeconds = 60 * 60;
/** Random, so that throttled clients do not all retry at the same moment. */
const throttledMs = { min: 1_000, max: 3_000 };

function limitsOf({ accountId, network, siteId }: Guesser) {
  const key = (what: string, whose: string) => `redeem:${what}:${whose}`;
  return {
    account: { key: key('account', accountId), max: 10, seconds: hourSeconds },
    // A school or an office is one network.
    network: { key: key('network', network), max: 100, seconds: hourSeconds },
    site: { key: key('site', siteId), max: 1_000, seconds: 600 },
    /** Applies while the site is over its limit. */
    tense: { key: key('tense', accountId), max: 1, seconds: hourSeconds },
  } satisfies Record<string, Limit>;
}

/**
 * Runs `look` unless the account or network is throttled, or throws `RedeemThrottled`. Only errors
 * for which `isGuess` is true count towards the limits.
 */
export async function guarded<T>(
  limits: ReturnableLimits,
  { guesser, isGuess }: { guesser: Guesser; isGuess: (error: unknown) => boolean },
  look: () => Promise<T>,
): Promise<T> {
  const taken = await takeAll(limits, guesser);
  try {
    const seen = await look();
    await giveBack(limits, taken);
    return seen;
  } catch (error) {
    if (!isGuess(error)) await giveBack(limits, taken);
    throw error;
  }
}

async function takeAll(limits: ReturnableLimits, guesser: Guesser): Promise<Limit[]> {
  const { account, network, site, tense } = limitsOf(guesser);
  const taken: Limit[] = [];
  const take = async (limit: Limit) => {
    const isFree = await limits.take(limit);
    if (isFree) taken.push(limit);
    return isFree;
  };
  const isAdmitted =
    (await take(account)) && (await take(network)) && ((await take(site)) || (await take(tense)));
  if (isAdmitted) return taken;
  await giveBack(limits, taken);
  await wait(randomInt(throttledMs.min, throttledMs.max));
  throw new AppError('RedeemThrottled');
}

async function giveBack(limits: ReturnableLimits, taken: readonly Limit[]): Promise<void> {
  await Promise.all(taken.map((limit) => limits.giveBack(limit)));
}
