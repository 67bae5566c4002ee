import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../platform/errors.ts';
import type { Limit, ReturnableLimits } from '../../platform/limits.ts';

// A code has 74 random bits, so guessing finds nothing: a million codes and a thousand guesses a second
// are one hit in five hundred thousand years. What these limits save is the shop's time, and they keep
// players who mistype apart from programs that try. So they are counted in Redis, and by each process
// alone while there is none.
//
// Only what failed counts. It is taken before anybody looks and given back when it went well, so that
// a thousand guesses at the same moment are not all let in before the first has failed.
//
// A limit on the whole site alone would let a guesser keep everybody out. When the site has seen too
// many failures, an account is let in that has not failed since: whoever holds a right code gets it
// redeemed, and a guesser needs another account for each further guess.
//
// Whoever is refused for guessing waits for it: a program that goes on all the same, one call after
// the other, then costs next to nothing.

interface Guesser {
  accountId: string;
  network: string;
  siteId: string;
}

const hourSeconds = 60 * 60;
/** By chance in between, or a thousand of them would all come back at the same moment. */
const throttledMs = { min: 1_000, max: 3_000 };

function limitsOf({ accountId, network, siteId }: Guesser) {
  const key = (what: string, whose: string) => `redeem:${what}:${whose}`;
  return {
    account: { key: key('account', accountId), max: 10, seconds: hourSeconds },
    // A school or an office is one network.
    network: { key: key('network', network), max: 100, seconds: hourSeconds },
    site: { key: key('site', siteId), max: 1_000, seconds: 600 },
    /** While the site has seen too many. */
    tense: { key: key('tense', accountId), max: 1, seconds: hourSeconds },
  } satisfies Record<string, Limit>;
}

/**
 * Lets whoever has not guessed too often look, or throws `RedeemThrottled`. Which errors are failed
 * guesses, `isGuess` says; all else that comes of looking counts nothing.
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
