import type { BlindIndex } from '../../platform/blind-index.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { countDown, countUp, type Limit, readCounts } from '../../platform/limits.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { hashSecret } from '../../platform/secrets.ts';
import {
  deleteDevicesBeyond,
  deleteOldDevices,
  deleteOldNetworks,
  selectIsKnown,
  upsertKnownDevice,
  upsertKnownNetwork,
} from './known-places.queries.ts';

// Throttles password guessing before a password is hashed (ADR 062).
//
// - A browser or network from which the account was signed in to before is known and has attempts of
//   its own, which strangers cannot use up.
// - All others are strangers. Their failures count per network, per name, and per pair of both; after
//   several failures a stranger needs a proof of work for the next attempt.
// - Only the counters per network, name and pair refuse attempts. The counter of all strangers only
//   requires proofs, so that attacks on others never lock out a player at a new place.

/** The place of a sign-in: network and browser. */
export interface Place {
  network: string;
  /** The secret of the browser's known-device cookie, if it has one. */
  device: string | undefined;
}

interface SignInAttempt extends Place {
  /** The typed name with its kind. */
  name: string;
  /** Undefined for an unknown account. */
  accountId: string | undefined;
}

type CodeAttempt = Omit<SignInAttempt, 'name'>;

/** An attempt that is admitted to the password check. */
interface Admission {
  isKnown: boolean;
  needsProof: boolean;
  /** The counters that a failure increases. */
  limits: readonly Limit[];
}

export interface SignInGuard {
  /** Whether the account was signed in to from this network before. */
  isKnownNetwork(attempt: Pick<SignInAttempt, 'accountId' | 'network'>): Promise<boolean>;
  /** Throws `SignInThrottled` if a limit is reached. Writes nothing. */
  admit(attempt: SignInAttempt): Promise<Admission>;
  /** For a code, which has its own attempt limit: checks the limit of the network only. */
  admitCode(attempt: CodeAttempt): Promise<Admission>;
  failed(admission: Admission): Promise<void>;
  succeeded(player: Place & { accountId: string }): Promise<void>;
  forgetOld(): Promise<void>;
}

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;
const failuresWhereKnownMax = 10;
const failuresPerNetworkMax = 10;
/** Per network and name: otherwise a network could try its ten failures per hour on one name. */
const failuresPerPairMax = 5;
const failuresPerNameMax = 1_000;
/** From these counts on, a stranger needs a human proof. */
const freeFailures = { network: 3, name: 3, strangers: 30 };
const successWeight = 3;
export const knownDays = 90;
const devicesMax = 50;
const nobody = '00000000-0000-0000-0000-000000000000';

export function openSignInGuard(options: {
  db: Db;
  now: () => number;
  blindIndex: BlindIndex;
}): SignInGuard {
  const { db, now, blindIndex } = options;
  const knownSince = () => new Date(now() - knownDays * daySeconds * 1000);
  const placeOf = async ({ accountId = nobody, network, device }: CodeAttempt) => {
    const deviceHash = device === undefined ? null : hashSecret(device);
    const row = await selectIsKnown(db, { accountId, network, deviceHash, since: knownSince() });
    return { isNetwork: row.is_known_network, isDevice: row.is_known_device };
  };
  const countsOf = (limits: readonly Limit[]) =>
    readCounts(
      db,
      limits.map(({ key }) => key),
      new Date(now()),
    );

  return {
    isKnownNetwork: async (attempt) => (await placeOf({ ...attempt, device: undefined })).isNetwork,

    admit: async (attempt) => {
      const { device, home, pair, network, name, strangers } = limitsWith(blindIndex, attempt);
      const known = await placeOf(attempt);
      const ofStrangers = [pair, network, name, strangers];
      const countOf = await countsOf([device, home, ...ofStrangers]);
      const isUsedUp = ({ key, max }: Limit) => countOf(key) >= max;
      // If the attempts of a known place are used up, perhaps by others there, the player still has
      // those of a stranger.
      for (const [isHere, limit] of [
        [known.isDevice, device],
        [known.isNetwork, home],
      ] as const) {
        if (isHere && !isUsedUp(limit)) {
          return { isKnown: true, needsProof: false, limits: [limit] };
        }
      }
      if ([pair, network, name].some(isUsedUp)) throw new AppError('SignInThrottled');
      const needsProof =
        countOf(network.key) >= freeFailures.network ||
        countOf(name.key) >= freeFailures.name ||
        countOf(strangers.key) >= freeFailures.strangers;
      return { isKnown: false, needsProof, limits: ofStrangers };
    },

    admitCode: async (attempt) => {
      const known = await placeOf(attempt);
      if (known.isDevice || known.isNetwork) {
        return { isKnown: true, needsProof: false, limits: [] };
      }
      const { network } = limitsWith(blindIndex, { ...attempt, name: '' });
      const countOf = await countsOf([network]);
      if (countOf(network.key) >= network.max) throw new AppError('SignInThrottled');
      return { isKnown: false, needsProof: false, limits: [network] };
    },

    failed: async ({ limits }) => {
      if (limits.length === 0) return;
      await db.transaction((tx) => countUp(tx, limits, new Date(now())));
    },

    succeeded: async (player) => {
      const { accountId, device } = player;
      const known = await placeOf(player);
      const { network, strangers } = limitsWith(blindIndex, { ...player, name: '' });
      const at = new Date(now());
      await db.transaction(async (tx) => {
        await upsertKnownNetwork(tx, { accountId, network: player.network, at });
        if (device !== undefined) {
          await upsertKnownDevice(tx, { accountId, deviceHash: hashSecret(device), at });
          if (!known.isDevice) await deleteDevicesBeyond(tx, { accountId, kept: devicesMax });
        }
        // Once for each account and network: otherwise one account of an attacker could offset
        // unlimited failures.
        if (known.isNetwork) return;
        const by = successWeight;
        const madeUpFor = [network, strangers].map(({ key }) => ({ key, by }));
        await countDown(tx, madeUpFor, at);
      });
    },

    forgetOld: () =>
      deleteInBatches(db, deleteOldNetworks(knownSince()), deleteOldDevices(knownSince())),
  };
}

/** The name is hashed: a player may have typed a phone number or a password there. */
function limitsWith(blindIndex: BlindIndex, attempt: SignInAttempt) {
  const { name, accountId = nobody, network, device } = attempt;
  const hidden = blindIndex('sign-in name', name).toString('base64url');
  const deviceId = device === undefined ? 'none' : hashSecret(device).toString('base64url');
  return {
    device: {
      key: `sign-in:device:${accountId}:${deviceId}`,
      max: failuresWhereKnownMax,
      seconds: hourSeconds,
    },
    home: {
      key: `sign-in:home:${accountId}:${network}`,
      max: failuresWhereKnownMax,
      seconds: hourSeconds,
    },
    pair: {
      key: `sign-in:pair:${hidden}:${network}`,
      max: failuresPerPairMax,
      seconds: daySeconds,
    },
    network: {
      key: `sign-in:network:${network}`,
      max: failuresPerNetworkMax,
      seconds: hourSeconds,
    },
    name: { key: `sign-in:name:${hidden}`, max: failuresPerNameMax, seconds: daySeconds },
    strangers: {
      key: 'sign-in:strangers',
      max: Number.POSITIVE_INFINITY,
      seconds: daySeconds,
    },
  } satisfies Record<string, Limit>;
}
