import { z } from 'zod';

// Whether a provider answers, as all processes see it together. A pure circuit breaker: where it is
// kept, and that it may be lost, is another file's business.

/** What is known of a provider. Times are milliseconds since 1970. */
export const Health = z.object({
  /** The last calls, the newest last. */
  calls: z.array(z.object({ at: z.number(), isAnswered: z.boolean() })),
  /** Taken out; nothing as long as it answers. */
  out: z
    .object({
      since: z.number(),
      /** How often it was tried in vain since then. */
      triesFailed: z.int(),
      /** From when on it may be tried. */
      retryAt: z.number(),
      /** Somebody is trying it until then. */
      trialUntil: z.number(),
    })
    .nullable(),
});
export type Health = z.output<typeof Health>;

export const wellUntilNow: Health = { calls: [], out: null };

/** A call that made a payment, or should have. A refusal is an answer. */
export interface ProviderCall {
  begunAt: number;
  endedAt: number;
  isAnswered: boolean;
  /** Asked for the first time, and not once more because there was no answer. */
  isFirst: boolean;
}

/**
 * It is out when of its last ten calls in five minutes at least five, and four of five, were not
 * answered. A provider that answers half of the time is worth a second try, and fewer than five calls
 * say little.
 */
const callsMax = 10;
const windowMs = 5 * 60_000;
const silentMin = 5;

const firstWaitMs = 30_000;
const longestWaitMs = 10 * 60_000;
/** Longer than any provider is waited for. */
const trialMs = 60_000;

export function afterCall(health: Health, call: ProviderCall): Health {
  return health.out === null ? afterUsualCall(health, call) : afterTrial(health, health.out, call);
}

function afterUsualCall(health: Health, { endedAt, isAnswered, isFirst }: ProviderCall): Health {
  // One payment that cannot be made would else count again each time it is asked for.
  if (!isAnswered && !isFirst) return health;
  const calls = [...health.calls, { at: endedAt, isAnswered }]
    .filter(({ at }) => at > endedAt - windowMs)
    .slice(-callsMax);
  const silent = calls.filter((each) => !each.isAnswered).length;
  const isOut = silent >= silentMin && silent * 5 >= calls.length * 4;
  if (!isOut) return { calls, out: null };
  const retryAt = endedAt + firstWaitMs;
  return { calls: [], out: { since: endedAt, triesFailed: 0, retryAt, trialUntil: 0 } };
}

/** What was begun before it could be tried says how it was then. */
function afterTrial(health: Health, out: NonNullable<Health['out']>, call: ProviderCall): Health {
  if (call.begunAt < out.retryAt) return health;
  if (call.isAnswered) return wellUntilNow;
  const triesFailed = out.triesFailed + 1;
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(triesFailed, 10));
  return { calls: [], out: { ...out, triesFailed, retryAt: call.endedAt + waitMs, trialUntil: 0 } };
}

/** `due` can be tried: it is offered again, and whoever comes first tries. */
export function standingOf({ out }: Health, now: number): 'well' | 'failing' | 'due' {
  if (out === null) return 'well';
  return now >= out.retryAt && now >= out.trialUntil ? 'due' : 'failing';
}

/** The same with a trial under way; nothing where it may not be tried, or need not. */
export function withTrial(health: Health, now: number): Health | undefined {
  const { out } = health;
  if (out === null || standingOf(health, now) !== 'due') return undefined;
  return { ...health, out: { ...out, trialUntil: now + trialMs } };
}
