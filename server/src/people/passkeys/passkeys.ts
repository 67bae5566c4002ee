import type { SignedIn } from '@pointgate/contract/accounts.ts';
import {
  type Assertion,
  type CreationOptions,
  type Passkey,
  passkeysMax,
  type Registration,
  type RequestOptions,
} from '@pointgate/contract/passkeys.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { CallSite } from '../../platform/http.ts';
import { newId } from '../../platform/ids.ts';
import { countDown, type Limit, type QuickLimits, useLimits } from '../../platform/limits.ts';
import { log } from '../../platform/log.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { hashSecret } from '../../platform/secrets.ts';
import {
  lockAccount,
  type Session,
  type sessionKeyOf,
  standingOf,
  startSession,
  stepUp,
  whoIs,
} from '../accounts/accounts.ts';
import {
  creationOptions,
  relyingPartyOf,
  requestOptions,
  verifyAssertion,
  verifyRegistration,
} from './ceremony.ts';
import { consumeChallenge, newChallenge } from './challenges.ts';
import {
  deleteOldChallenges,
  deletePasskey,
  deletePasskeysOf,
  deletePasskeysSince,
  insertPasskey,
  type PasskeyRow,
  type Place,
  selectCredential,
  selectPasskeys,
  updateUsed,
} from './passkeys.queries.ts';

export interface PasskeysContext {
  db: Db;
  quickLimits: QuickLimits;
  siteOf: (siteId: string) => Promise<{ gameIds: string[]; title: string }>;
  /** Called after every sign-in, to make network and browser known. */
  signedIn: (player: {
    accountId: string;
    network: string;
    device: string | undefined;
  }) => Promise<void>;
  /** Notifies the account owner of a change. */
  tellOwner: (
    tx: Tx,
    change: { accountId: string; siteId: string; event: 'passkey_added' | 'passkey_removed' },
  ) => Promise<void>;
  now: () => number;
}

/** A player's session on its site. */
export interface InSession {
  session: ReturnType<typeof sessionKeyOf>;
  site: CallSite;
}

/** Failures per network and hour. A signature cannot be guessed; this saves processor time. */
export const failuresPerNetworkMax = 60;

export async function passkeysOf(
  { db }: PasskeysContext,
  { session, site }: InSession,
): Promise<Passkey[]> {
  return (await selectPasskeys(db, ownedBy(session, site))).map(toPasskey);
}

/** Refuses early what `keepPasskey` would refuse, before the player uses the authenticator. */
export async function beginPasskey(
  context: PasskeysContext,
  { session, site }: InSession,
): Promise<CreationOptions> {
  const { db, siteOf } = context;
  const { accountId, siteId } = session;
  const known = await db.transaction((tx) => requireRoomForOne(tx, { session, site }));
  const { displayName } = await whoIs(db, { accountId, siteId, gameIds: [] });
  const { title } = await siteOf(siteId);
  const challenge = await newChallenge(context, {
    purpose: 'register',
    by: accountId,
    siteId,
    holderHash: session.tokenHash,
  });
  return creationOptions({
    challenge,
    rpId: relyingPartyOf(site).rpId,
    siteTitle: title,
    accountId,
    displayName,
    known: known.map(toKnown),
  });
}

export async function keepPasskey(
  { db, tellOwner }: PasskeysContext,
  input: InSession & { registration: Registration; name: string },
): Promise<Passkey> {
  const { session, site, registration, name } = input;
  const challenge = await consumeChallenge(db, registration, {
    purpose: 'register',
    siteId: session.siteId,
    holderHash: session.tokenHash,
  });
  const party = relyingPartyOf(site);
  const credential = await refusingWell(() =>
    verifyRegistration(registration, { challenge, party }),
  );
  return await db.transaction(async (tx) => {
    await requireRoomForOne(tx, { session, site });
    const added = await insertPasskey(tx, {
      id: newId(),
      ...ownedBy(session, site),
      ...credential,
      transports: registration.transports,
      name,
    });
    if (added === undefined) throw new AppError('PasskeyRefused');
    const { accountId, siteId } = session;
    await tellOwner(tx, { accountId, siteId, event: 'passkey_added' });
    return toPasskey(added);
  });
}

/** Ignores a passkey that is gone or belongs to another player. */
export async function dropPasskey(
  { db, tellOwner }: PasskeysContext,
  { session, site, passkeyId }: InSession & { passkeyId: string },
): Promise<void> {
  const owned = ownedBy(session, site);
  await db.transaction(async (tx) => {
    await lockAccount(tx, owned.accountId);
    if ((await selectPasskeys(tx, owned)).length === 0) return;
    await requireSteppedUp(tx, session);
    const wasThere = await deletePasskey(tx, { ...owned, passkeyId });
    const { accountId, siteId } = owned;
    if (wasThere) await tellOwner(tx, { accountId, siteId, event: 'passkey_removed' });
  });
}

/**
 * For a player who has lost all devices and cannot step up to remove passkeys. The operator must
 * verify who asks; the owner is notified in case it was an attacker.
 */
export async function forgetPasskeys(
  tx: Tx,
  { tellOwner }: Pick<PasskeysContext, 'tellOwner'>,
  { accountId, by }: { accountId: string; by: string },
): Promise<number> {
  const sites = await deletePasskeysOf(tx, accountId);
  const [siteId] = sites.toSorted();
  if (siteId !== undefined) await tellOwner(tx, { accountId, siteId, event: 'passkey_removed' });
  const forgotten = sites.length;
  if (forgotten > 0) log.warn({ accountId, by, forgotten }, 'an operator forgot passkeys');
  return forgotten;
}

/** Removes passkeys on all sites that were added since and answers their number. */
export async function removePasskeysSince(
  tx: Tx,
  from: { accountId: string; since: Date },
): Promise<number> {
  return await deletePasskeysSince(tx, from);
}

/** Does not depend on any account, so that it does not reveal which accounts or passkeys exist. */
export async function beginSignIn(
  context: PasskeysContext,
  { site, browser, network }: { site: CallSite; browser: string; network: string },
): Promise<RequestOptions> {
  const { siteId } = site;
  const challenge = await newChallenge(context, {
    purpose: 'sign_in',
    by: network,
    siteId,
    holderHash: hashSecret(browser),
  });
  return requestOptions({ challenge, rpId: relyingPartyOf(site).rpId, known: [] });
}

/** Starts a session that counts as stepped up, and ends the older one, like every sign-in. */
export async function signInWithPasskey(
  context: PasskeysContext,
  input: {
    assertion: Assertion;
    site: CallSite;
    browser: string | undefined;
    network: string;
    device: string | undefined;
  },
): Promise<Session> {
  const { db, now } = context;
  const { assertion, site, browser, network, device } = input;
  const { siteId } = site;
  // Counted before and given back on success, so that concurrent attempts cannot exceed the limit.
  const limit = limitOf(network);
  await db.transaction(async (tx) => {
    const counts = await useLimits(tx, [limit], new Date(now()));
    if (counts === undefined) throw new AppError('SignInThrottled');
  });
  // An authenticator that discovers the passkey always returns the user handle.
  const isWhole = browser !== undefined && assertion.userHandle !== null;
  if (!isWhole) throw new AppError('PasskeyRefused');
  const challenge = await consumeChallenge(db, assertion, {
    purpose: 'sign_in',
    siteId,
    holderHash: hashSecret(browser),
  });
  const { passkey, counter } = await proven(db, { assertion, challenge, site });
  const { account_id: accountId } = passkey;
  const token = await db.transaction(async (tx) => {
    await noteUse(tx, { passkey, counter });
    await countDown(tx, [{ key: limit.key, by: 1 }], new Date(now()));
    return await startSession(tx, { accountId, siteId, by: { passkeyId: passkey.id } });
  });
  await context.signedIn({ accountId, network, device });
  return { token, signedIn: await signedInOf(context, { accountId, siteId }) };
}

export async function beginStepUp(
  context: PasskeysContext,
  { session, site }: InSession,
): Promise<RequestOptions> {
  const known = await selectPasskeys(context.db, ownedBy(session, site));
  if (known.length === 0) throw new AppError('PasskeyRefused');
  const challenge = await newChallenge(context, {
    purpose: 'step_up',
    by: session.accountId,
    siteId: session.siteId,
    holderHash: session.tokenHash,
  });
  return requestOptions({
    challenge,
    rpId: relyingPartyOf(site).rpId,
    known: known.map(toKnown),
  });
}

export async function stepUpWithPasskey(
  { db }: PasskeysContext,
  { session, site, assertion }: InSession & { assertion: Assertion },
): Promise<void> {
  const challenge = await consumeChallenge(db, assertion, {
    purpose: 'step_up',
    siteId: session.siteId,
    holderHash: session.tokenHash,
  });
  const { passkey, counter } = await proven(db, { assertion, challenge, site });
  if (passkey.account_id !== session.accountId) throw new AppError('PasskeyRefused');
  await db.transaction(async (tx) => {
    await noteUse(tx, { passkey, counter });
    await stepUp(tx, session, passkey.id);
  });
}

export async function forgetOldChallenges(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldChallenges);
}

/**
 * The player's passkeys, if another can be added. A stolen session must not be able to add one: the
 * first needs a recently started session, every further one a step-up.
 */
async function requireRoomForOne(tx: Tx, { session, site }: InSession): Promise<PasskeyRow[]> {
  await lockAccount(tx, session.accountId);
  const passkeys = await selectPasskeys(tx, ownedBy(session, site));
  await requireProven(tx, session, passkeys.length > 0);
  if (passkeys.length >= passkeysMax) throw new AppError('PasskeyRefused');
  return passkeys;
}

export async function requireProven(
  db: Db | Tx,
  session: InSession['session'],
  hasPasskey: boolean,
): Promise<void> {
  const { isNew, isSteppedUp } = await standingOf(db, session);
  if (!(hasPasskey ? isSteppedUp : isNew)) throw new AppError('StepUpNeeded');
}

export async function requireSteppedUp(db: Db | Tx, session: InSession['session']): Promise<void> {
  if (!(await standingOf(db, session)).isSteppedUp) throw new AppError('StepUpNeeded');
}

function limitOf(network: string): Limit {
  return { key: `passkey:network:${network}`, max: failuresPerNetworkMax, seconds: 60 * 60 };
}

/** The passkey that signed the challenge. An unknown passkey is refused like a wrong signature. */
async function proven(
  db: Db,
  input: { assertion: Assertion; challenge: string; site: CallSite },
): Promise<{ passkey: PasskeyRow; counter: number }> {
  const { assertion, challenge, site } = input;
  const party = relyingPartyOf(site);
  const credentialId = Buffer.from(assertion.id, 'base64url');
  const passkey = await selectCredential(db, { ...placeOf(site), credentialId });
  if (passkey === undefined) throw new AppError('PasskeyRefused');
  const credential = {
    credentialId,
    publicKey: passkey.public_key,
    counter: Number(passkey.counter),
  };
  const { account_id: accountId } = passkey;
  const counter = await refusingWell(() =>
    verifyAssertion(assertion, { challenge, party, credential, accountId }),
  );
  return { passkey, counter };
}

async function noteUse(
  tx: Tx,
  { passkey, counter }: { passkey: PasskeyRow; counter: number },
): Promise<void> {
  const isNoted = await updateUsed(tx, { passkeyId: passkey.id, counter });
  if (!isNoted) throw new AppError('PasskeyRefused');
}

/** Logs the reason and hides it from the caller. */
async function refusingWell<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not an Error';
    log.info({ reason }, 'a passkey was refused');
    throw new AppError('PasskeyRefused');
  }
}

async function signedInOf(
  { db, siteOf }: PasskeysContext,
  { accountId, siteId }: { accountId: string; siteId: string },
): Promise<SignedIn> {
  const { gameIds } = await siteOf(siteId);
  return await whoIs(db, { accountId, siteId, gameIds });
}

function placeOf(site: CallSite): Place {
  return { siteId: site.siteId, rpId: relyingPartyOf(site).rpId };
}

export function ownedBy({ accountId }: InSession['session'], site: CallSite) {
  return { ...placeOf(site), accountId };
}

function toKnown({ credential_id: credentialId, transports }: PasskeyRow) {
  return { credentialId, transports };
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    passkeyId: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
