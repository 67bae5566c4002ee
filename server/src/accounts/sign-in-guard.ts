import type { BlindIndex } from '../platform/blind-index.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { countDown, countUp, type Limit, readCounts } from '../platform/limits.ts';
import { deleteInBatches } from '../platform/retention.ts';
import { deleteOldNetworks, selectIsKnownNetwork, upsertKnownNetwork } from './accounts.queries.ts';

// Stops guessing before a password is hashed. A lock on the name alone would let anybody lock a
// player out; a limit on the network alone is nothing to whoever has hundreds. So:
//
// - A network from which the account was signed in to before is known, and has tries of its own.
//   What strangers do does not touch it: the player at home gets in while others guess.
// - All other networks are strangers. Failures count against the network, the name, and strangers
//   as a whole. Once a name or the whole has had too many, only networks that have not failed today
//   are let through, a few dozen in all: a player on the road gets in, a botnet does not.
// - Beyond that strangers are refused. Their way in is a code or a new password by code; that makes
//   the network a known one.
//
// A stranger who turns out to be right takes failures back, so that a shop with many players, most
// of whom know their password, never comes near the limit of the whole.

interface SignInAttempt {
  /** What was typed, with the kind of name it is. */
  name: string;
  /** Undefined where there is no such account. */
  accountId: string | undefined;
  network: string;
}

export interface SignInGuard {
  /** Whether the account was signed in to from there before. */
  isKnown(attempt: Pick<SignInAttempt, 'accountId' | 'network'>): Promise<boolean>;
  /** Throws `SignInThrottled` if this attempt must not be looked at. Counts nothing. */
  admit(attempt: SignInAttempt): Promise<void>;
  /** For a code, which has few tries of its own: only the network is looked at. */
  admitCode(attempt: Pick<SignInAttempt, 'accountId' | 'network'>): Promise<void>;
  failed(attempt: SignInAttempt): Promise<void>;
  codeFailed(attempt: Pick<SignInAttempt, 'accountId' | 'network'>): Promise<void>;
  succeeded(player: { accountId: string; network: string }): Promise<void>;
  forgetOld(): Promise<void>;
}

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;
const failuresAtHomeMax = 10;
const failuresPerNetworkMax = 10;
const failuresPerNameMax = 10;
/** More than this, and strangers who have failed before are refused. */
const strangersCalmMax = 12;
/** Even over a change of windows, these are less than a hundred. */
const strangersMax = 46;
const successWeight = 3;
const knownDays = 90;
const nobody = '00000000-0000-0000-0000-000000000000';

export function openSignInGuard(options: {
  db: Db;
  now: () => number;
  blindIndex: BlindIndex;
}): SignInGuard {
  const { db, now, blindIndex } = options;
  const knownSince = () => new Date(now() - knownDays * daySeconds * 1000);
  const isKnown: SignInGuard['isKnown'] = async ({ accountId, network }) => {
    const key = { accountId: accountId ?? nobody, network, since: knownSince() };
    return (await selectIsKnownNetwork(db, key)).is_known;
  };
  const limitsOf = (attempt: SignInAttempt) => limitsWith(blindIndex, attempt);
  const countsOf = (limits: Record<string, Limit>) =>
    readCounts(
      db,
      Object.values(limits).map(({ key }) => key),
      new Date(now()),
    );

  return {
    isKnown,
    admit: async (attempt) => {
      const limits = limitsOf(attempt);
      const countOf = await countsOf(limits);
      const isUsedUp = ({ key, max }: Limit) => countOf(key) >= max;
      if (await isKnown(attempt)) {
        if (isUsedUp(limits.atHome)) throw new AppError('SignInThrottled');
        return;
      }
      const isTense = isUsedUp(limits.name) || countOf(limits.strangers.key) >= strangersCalmMax;
      const hasFailed = countOf(limits.network.key) > 0;
      if (isUsedUp(limits.network) || isUsedUp(limits.strangers) || (isTense && hasFailed)) {
        throw new AppError('SignInThrottled');
      }
    },

    admitCode: async (attempt) => {
      const { network } = limitsOf({ ...attempt, name: '' });
      const countOf = await countsOf({ network });
      if (countOf(network.key) >= network.max && !(await isKnown(attempt))) {
        throw new AppError('SignInThrottled');
      }
    },

    failed: async (attempt) => {
      const { atHome, name, network, strangers } = limitsOf(attempt);
      const counted = (await isKnown(attempt)) ? [atHome] : [name, network, strangers];
      await db.transaction((tx) => countUp(tx, counted, new Date(now())));
    },

    codeFailed: async (attempt) => {
      if (await isKnown(attempt)) return;
      const { network } = limitsOf({ ...attempt, name: '' });
      await db.transaction((tx) => countUp(tx, [network], new Date(now())));
    },

    succeeded: async (player) => {
      const wasKnown = await isKnown(player);
      const { network, strangers } = limitsOf({ ...player, name: '' });
      const at = new Date(now());
      await db.transaction(async (tx) => {
        await upsertKnownNetwork(tx, { ...player, at });
        // Once for each account: else one account of an attacker's would make up for any failures.
        if (wasKnown) return;
        const by = successWeight;
        await countDown(
          tx,
          [network, strangers].map(({ key }) => ({ key, by })),
          at,
        );
      });
    },

    forgetOld: () => deleteInBatches(db, deleteOldNetworks(knownSince())),
  };
}

/** The name is hidden: a player may have typed a phone number there, or a password. */
function limitsWith(blindIndex: BlindIndex, { name, accountId, network }: SignInAttempt) {
  const hidden = blindIndex('sign-in name', name).toString('base64url');
  return {
    atHome: {
      key: `sign-in:home:${accountId ?? nobody}:${network}`,
      max: failuresAtHomeMax,
      seconds: hourSeconds,
    },
    name: { key: `sign-in:name:${hidden}`, max: failuresPerNameMax, seconds: hourSeconds },
    network: {
      key: `sign-in:network:${network}`,
      max: failuresPerNetworkMax,
      seconds: daySeconds,
    },
    strangers: { key: 'sign-in:strangers', max: strangersMax, seconds: daySeconds },
  } satisfies Record<string, Limit>;
}
