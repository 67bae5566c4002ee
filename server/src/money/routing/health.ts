import { z } from 'zod';

// A circuit breaker per provider, shared by all processes. Pure functions only: provider-health.ts
// stores the state and handles its loss.

/** The health of a provider. Times are milliseconds since 1970. */
export const Health = z.object({
  /** The last calls, newest last. */
  calls: z.array(z.object({ at: z.number(), isAnswered: z.boolean() })),
  /** Set while the provider is failing. */
  out: z
    .object({
      since: z.number(),
      /** No answer or a rejected key. Health stored before this field existed means silence. */
      because: z.enum(['silence', 'key']).default('silence'),
      /** The number of failed trials since then. */
      triesFailed: z.int(),
      /** The time from which a trial is allowed. */
      retryAt: z.number(),
      /** The end of the trial that is under way. */
      trialUntil: z.number(),
    })
    .nullable(),
});
export type Health = z.output<typeof Health>;

export const wellUntilNow: Health = { calls: [], out: null };

/** A call to open a payment. A refusal counts as an answer, unless it rejects the API key. */
export interface ProviderCall {
  begunAt: number;
  endedAt: number;
  isAnswered: boolean;
  /** The first call for this payment, not a retry after a missing answer. */
  isFirst: boolean;
  /** The provider rejects the API key, so every payment would fail. */
  isKeyRefused?: boolean;
}

/**
 * A provider is failing if at least five, and at least four fifths, of its last ten calls within
 * five minutes were unanswered. A provider that answers half of the calls is still worth a retry,
 * and fewer than five calls prove little. A single rejected key is enough.
 */
const callsMax = 10;
const windowMs = 5 * 60_000;
const silentMin = 5;

const firstWaitMs = 30_000;
const longestWaitMs = 10 * 60_000;
/** Longer than any timeout of a provider call. */
const trialMs = 60_000;

export function afterCall(health: Health, call: ProviderCall): Health {
  return health.out === null ? afterUsualCall(health, call) : afterTrial(health, health.out, call);
}

function afterUsualCall(health: Health, call: ProviderCall): Health {
  const { endedAt, isAnswered, isFirst, isKeyRefused = false } = call;
  if (isKeyRefused) return outSince(endedAt, 'key');
  // Otherwise retries of a single failing payment would count several times.
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

/** Ignores calls that began before the trial was due, because their results are outdated. */
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
 * The health after a query of a payment. A query does not show whether payments can be opened, but
 * it shows whether the API key is accepted.
 */
export function afterQuestion(health: Health, call: Omit<ProviderCall, 'isFirst'>): Health {
  const asked = { ...call, isFirst: false };
  if (call.isKeyRefused === true) return afterCall(health, asked);
  return health.out?.because === 'key' && call.isAnswered ? afterCall(health, asked) : health;
}

/** `due` means that the provider is offered again and the first caller makes a trial. */
export function standingOf({ out }: Health, now: number): 'well' | 'failing' | 'due' {
  if (out === null) return 'well';
  return now >= out.retryAt && now >= out.trialUntil ? 'due' : 'failing';
}

/** The health with a trial under way; undefined if no trial is due. */
export function withTrial(health: Health, now: number): Health | undefined {
  const { out } = health;
  if (out === null || standingOf(health, now) !== 'due') return undefined;
  return { ...health, out: { ...out, trialUntil: now + trialMs } };
}
