import { log } from '../../platform/log.ts';
import { openSharedValues, type SharedValues } from '../../platform/shared-values.ts';
import {
  afterCall,
  afterQuestion,
  Health,
  type ProviderCall,
  standingOf,
  wellUntilNow,
  withTrial,
} from './health.ts';

/**
 * The health of providers, shared by all processes. A provider whose health cannot be read counts
 * as healthy, because offering a failing method is better than hiding a working one.
 */
export interface ProviderHealth {
  of(psp: string): Promise<Health>;
  /** Whether the health can be read; a process that has just started waits a moment for it. */
  isKnown(): Promise<boolean>;
  standing(psp: string): Promise<'well' | 'failing' | 'due'>;
  /** Reports a call that opens a payment. */
  told(psp: string, call: ProviderCall): Promise<void>;
  /** Reports a query of a payment. */
  toldOfQuestion(psp: string, call: Omit<ProviderCall, 'isFirst'>): Promise<void>;
  /** The failed trials of a provider whose next trial is due; undefined if none is due. */
  triesBeforeNow(psp: string): Promise<number | undefined>;
  /** True for all while the provider is healthy, and for one caller when a trial is due. */
  mayCall(psp: string): Promise<boolean>;
}

/** The health of a provider that was not called for an hour is forgotten. */
const forgetMs = 60 * 60_000;

/** The database name is part of the key, because several shops may share one Redis. */
export function openHealthValues(redisUrl: string | undefined, databaseUrl: string): SharedValues {
  const { pathname } = new URL(databaseUrl);
  const prefix = `pointgate:health:${pathname.slice(1)}:`;
  return openSharedValues({ redisUrl, prefix, keepMs: forgetMs });
}

const swapsMax = 5;

export function openProviderHealth(
  values: SharedValues,
  now: () => number = Date.now,
): ProviderHealth {
  /** Returns the health before and after; undefined if nothing changed or Redis is down. */
  const change = async (psp: string, next: (health: Health) => Health | undefined) => {
    for (let tries = 0; tries < swapsMax; tries += 1) {
      const text = await values.read(psp);
      const before = parse(text);
      const after = next(before);
      if (after === undefined) return undefined;
      const swap = { before: text, after: JSON.stringify(after) };
      if (await values.swap(psp, swap)) return { before, after };
    }
    return undefined;
  };
  const of = async (psp: string): Promise<Health> => {
    try {
      return parse(await values.read(psp));
    } catch (error) {
      return unreadable(error, wellUntilNow);
    }
  };
  const note = async (psp: string, next: (health: Health) => Health) => {
    try {
      // Writes nothing if nothing changed, which is the case for most queries.
      const changed = await change(psp, (health) => {
        const after = next(health);
        return after === health ? undefined : after;
      });
      if (changed !== undefined) sayChange(psp, changed);
    } catch (error) {
      unreadable(error, undefined);
    }
  };
  const standing = async (psp: string) => standingOf(await of(psp), now());
  return {
    of,
    isKnown: () => values.isThere(),
    standing,
    told: (psp, call) => note(psp, (health) => afterCall(health, call)),
    toldOfQuestion: (psp, call) => note(psp, (health) => afterQuestion(health, call)),
    triesBeforeNow: async (psp) => {
      const health = await of(psp);
      return standingOf(health, now()) === 'due' ? health.out?.triesFailed : undefined;
    },
    mayCall: async (psp) => {
      const stands = await standing(psp);
      if (stands !== 'due') return stands === 'well';
      try {
        return (await change(psp, (health) => withTrial(health, now()))) !== undefined;
      } catch (error) {
        return unreadable(error, true);
      }
    },
  };
}

function unreadable<T>(error: unknown, instead: T): T {
  log.debug({ err: error }, 'the health of providers cannot be read');
  return instead;
}

/** Ignores values in the format of another version. */
function parse(text: string | null): Health {
  if (text === null) return wellUntilNow;
  const parsed = Health.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : wellUntilNow;
}

function sayChange(psp: string, { before, after }: { before: Health; after: Health }): void {
  if (before.out === null && after.out === null) return;
  if (after.out === null) log.warn({ psp }, 'the provider answers again and is offered');
  else if (before.out === null) {
    const isKey = after.out.because === 'key';
    const why = isKey ? 'the provider refuses our key' : 'the provider does not answer';
    log.error({ psp }, `${why} and is no longer offered`);
  } else if (before.out.triesFailed !== after.out.triesFailed) {
    const nextTrialAt = new Date(after.out.retryAt);
    const { because } = after.out;
    log.warn({ psp, because, nextTrialAt }, 'the provider is still failing');
  }
}
