import { randomBytes } from 'node:crypto';
import type { Tx } from '../../platform/db.ts';
import { refuse } from '../../platform/operator-action.ts';
import type { Sealing } from '../../platform/sealing.ts';
import {
  insertSecret,
  lockSealedUnderOthers,
  lockSecret,
  makeNextCurrent,
  retireSecrets,
  type SecretName,
  selectVersions,
  updateSealed,
} from './secrets.queries.ts';
import { placeOf, type SecretKind, type Secrets } from './secrets.ts';

// What operators do with sealed secrets. Every change is one transaction, and changes of the same
// secret wait for each other.

/** The change of a secret, by whom and when. */
interface Change extends SecretName {
  by: string;
  at: Date;
}

interface NewValue extends Change {
  value: string;
}

/** The kind of a secret; without a name the first kind of the owner. */
export function kindOf(secrets: Secrets, owner: string, name: string | undefined): SecretKind {
  const [owners] = owner.split(':', 1);
  const kinds = secrets.kinds.filter((kind) => kind.owners === owners);
  const found = kinds.find((kind) => name === undefined || kind.name === name);
  const names = kinds.map((kind) => kind.name).join(' or ');
  return found ?? refuse(`${owner} has no secret ${name}: it has ${names}`);
}

export function newSecretValue(): string {
  return randomBytes(32).toString('base64url');
}

/** Takes the place of every earlier value at once. */
export async function setSecret(tx: Tx, secrets: Secrets, change: NewValue) {
  const version = await insertVersion(tx, secrets, change, async ([latest]) => {
    await retireSecrets(tx, { ...change, states: ['current', 'next'] });
    return { version: (latest?.version ?? 0) + 1, state: 'current' };
  });
  return { ...version, ...hint(secrets, change) };
}

/** Adds a value beside the current one, which goes on signing. */
export async function addNextSecret(tx: Tx, secrets: Secrets, change: NewValue) {
  const version = await insertVersion(tx, secrets, change, async (versions) => {
    requireCurrent(change, versions);
    if (versions.some(({ state }) => state === 'next')) {
      refuse(`${change.owner} has a next secret already: take --finish or --cancel first`);
    }
    return { version: (versions[0]?.version ?? 0) + 1, state: 'next' };
  });
  return { ...version, ...hint(secrets, change) };
}

/** The next value signs from now on, and the current one is erased. */
export async function finishRotation(tx: Tx, secrets: Secrets, change: Change) {
  const { owner, name } = change;
  const { version, retired } = await lockRotation(tx, change);
  await retireSecrets(tx, { owner, name, states: ['current'] });
  await makeNextCurrent(tx, { owner, name });
  return { owner, name, version, state: 'current', retired, ...hint(secrets, change) };
}

/** The next value is erased, and the current one stays. */
export async function cancelRotation(tx: Tx, secrets: Secrets, change: Change) {
  const { owner, name } = change;
  const { version, retired } = await lockRotation(tx, change);
  await retireSecrets(tx, { owner, name, states: ['next'] });
  return {
    owner,
    name,
    version: retired,
    state: 'current',
    retired: version,
    ...hint(secrets, change),
  };
}

/** Seals everything under the newest key again; returns how many secrets there were. */
export async function resealSecrets(tx: Tx, sealing: Sealing): Promise<number> {
  const rows = await lockSealedUnderOthers(tx, sealing.currentKeyId);
  for (const row of rows) {
    const { owner, name, version, key_id: keyId, sealed } = row;
    const under = sealing.reseal(placeOf(row), { keyId, sealed });
    await updateSealed(tx, { owner, name, version, ...under });
  }
  return rows.length;
}

type Versions = Awaited<ReturnType<typeof selectVersions>>;

async function insertVersion(
  tx: Tx,
  secrets: Secrets,
  { owner, name, value, by, at }: NewValue,
  place: (versions: Versions) => Promise<{ version: number; state: 'current' | 'next' }>,
) {
  const sealing = sealingOf(secrets);
  await lockSecret(tx, { owner, name });
  const { version, state } = await place(await selectVersions(tx, { owner, name }));
  const sealed = sealing.seal(placeOf({ owner, name, version }), value);
  await insertSecret(tx, { owner, name, version, state, ...sealed, by, at });
  return { owner, name, version, state };
}

async function lockRotation(tx: Tx, { owner, name }: Change) {
  await lockSecret(tx, { owner, name });
  const versions = await selectVersions(tx, { owner, name });
  const current = requireCurrent({ owner }, versions);
  const next = versions.find(({ state }) => state === 'next');
  if (next === undefined) return refuse(`${owner} has no next secret`);
  return { version: next.version, retired: current.version };
}

function requireCurrent({ owner }: Pick<SecretName, 'owner'>, versions: Versions) {
  const current = versions.find(({ state }) => state === 'current');
  return current ?? refuse(`${owner} has no sealed secret yet: secret-set makes the first one`);
}

export function sealingOf({ sealing }: Secrets): Sealing {
  return sealing ?? refuse('MASTER_KEYS is missing: without it no secret can be sealed');
}

/** A sealed secret has no effect while the environment has one of its name. */
function hint(secrets: Secrets, { owner, name }: SecretName): { unused?: string } {
  return secrets.isInSettings({ owner, name })
    ? { unused: 'the environment has this secret and wins: take it out there' }
    : {};
}
