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
      /** It did not answer, or it does not take our key. Health of before this was known says silence. */
      because: z.enum(['silence', 'key']).default('silence'),
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

/** A call that made a payment, or should have. A refusal is an answer, unless it is one of our key. */
export interface ProviderCall {
  begunAt: number;
  endedAt: number;
  isAnswered: boolean;
  /** Asked for the first time, and not once more because there was no answer. */
  isFirst: boolean;
  /** The provider does not take our key: nobody's payment would work. */
  isKeyRefused?: boolean;
}

/**
 * It is out when of its last ten calls in five minutes at least five, and four of five, were not
 * answered. A provider that answers half of the time is worth a second try, and fewer than five calls
 * say little. Where it refuses our key, one call says all.
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

function afterUsualCall(health: Health, call: ProviderCall): Health {
  const { endedAt, isAnswered, isFirst, isKeyRefused = false } = call;
  if (isKeyRefused) return outSince(endedAt, 'key');
  // One payment that cannot be made would else count again each time it is asked for.
  if (!isAnswered && !isFirst) return health;
  const calls = [...health.calls, { at: endedAt, isAnswered }]
    .filter(({ at }) => at > endedAt - windowMs)
    .slice(-callsMax);
  const silent = calls.filter((each) => !each.isAnswered).length;
  const isOut = silent >= silentMin && silent * 5 >= calls.length * 4;
  return isOut ? outSince(endedAt, 'silence') : { calls, out: null };
}

function outSince(since: number, because: 'silence' | 'key'): Health {
  const retryAt = since + firstWaitMs;
  return { calls: [], out: { since, because, triesFailed: 0, retryAt, trialUntil: 0 } };
}

/** What was begun before it could be tried says how it was then. */
function afterTrial(health: Health, out: NonNullable<Health['out']>, call: ProviderCall): Health {
  if (call.begunAt < out.retryAt) return health;
  if (call.isAnswered) return wellUntilNow;
  const because = call.isKeyRefused === true ? 'key' : out.because;
  const triesFailed = out.triesFailed + 1;
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(triesFailed, 10));
  const retryAt = call.endedAt + waitMs;
  return { calls: [], out: { ...out, because, triesFailed, retryAt, trialUntil: 0 } };
}

/**
 * After a question about a payment. It says nothing about a provider that is slow to make payments, but
 * whether our key is good it says as well as any payment.
 */
export function afterQuestion(health: Health, call: Omit<ProviderCall, 'isFirst'>): Health {
  const asked = { ...call, isFirst: false };
  if (call.isKeyRefused === true) return afterCall(health, asked);
  return health.out?.because === 'key' && call.isAnswered ? afterCall(health, asked) : health;
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
