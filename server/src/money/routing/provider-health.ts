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
 * Whether providers answer, as all processes see it together. What cannot be read is taken for well:
 * rather offer a method that fails than hide one that works.
 */
export interface ProviderHealth {
  of(psp: string): Promise<Health>;
  /** Whether it can be looked up; a process that has just begun waits a moment for it. */
  isKnown(): Promise<boolean>;
  standing(psp: string): Promise<'well' | 'failing' | 'due'>;
  /** Hears of a call that should have made a payment. */
  told(psp: string, call: ProviderCall): Promise<void>;
  /** Hears of a question about a payment. */
  toldOfQuestion(psp: string, call: Omit<ProviderCall, 'isFirst'>): Promise<void>;
  /** How often a provider that can be tried now was tried in vain; nothing where none is to be tried. */
  triesBeforeNow(psp: string): Promise<number | undefined>;
  /** True for the one who may try a provider that is due; true for all while it is well. */
  mayCall(psp: string): Promise<boolean>;
}

/** A provider that nobody has asked for an hour is as good as new. */
const forgetMs = 60 * 60_000;

/** Shops that share a Redis have databases of different names. */
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
  /** Answers what it was and became; nothing where it was not to be changed, or could not. */
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
      // Nothing is written where nothing is new: most questions say nothing.
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
  log.debug({ err: error }, 'nobody can say how providers are');
  return instead;
}

/** What another version wrote says nothing. */
function parse(text: string | null): Health {
  if (text === null) return wellUntilNow;
  const parsed = Health.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : wellUntilNow;
}

function sayChange(psp: string, { before, after }: { before: Health; after: Health }): void {
  if (before.out === null && after.out === null) return;
  if (after.out === null) log.warn({ psp }, 'the provider answers again: it is back');
  else if (before.out === null) {
    const isKey = after.out.because === 'key';
    const why = isKey ? 'the provider refuses our key' : 'the provider does not answer';
    log.error({ psp }, `${why}: it is taken out`);
  } else if (before.out.triesFailed !== after.out.triesFailed) {
    const nextTrialAt = new Date(after.out.retryAt);
    const { because } = after.out;
    log.warn({ psp, because, nextTrialAt }, 'the provider is still out');
  }
}
