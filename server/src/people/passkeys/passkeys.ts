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
  /** Told of every sign-in: from then on the player is known there. */
  signedIn: (player: {
    accountId: string;
    network: string;
    device: string | undefined;
  }) => Promise<void>;
  /** Has the account's owner told of a change. */
  tellOwner: (
    tx: Tx,
    change: { accountId: string; siteId: string; event: 'passkey_added' | 'passkey_removed' },
  ) => Promise<void>;
  now: () => number;
}

/** A player's session, on the site it is of. */
export interface InSession {
  session: ReturnType<typeof sessionKeyOf>;
  site: CallSite;
}

/** Wrong answers from one network in an hour. Nobody guesses a signature: this spares our time. */
export const failuresPerNetworkMax = 60;

export async function passkeysOf(
  { db }: PasskeysContext,
  { session, site }: InSession,
): Promise<Passkey[]> {
  return (await selectPasskeys(db, ownedBy(session, site))).map(toPasskey);
}

/** Refused already here where `keepPasskey` would refuse: the device is not asked in vain. */
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

/** What is not theirs, or is gone, needs no removing. */
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
 * For a player whose devices are all lost, and who so could neither step up nor remove them. Who it
 * really is that asks, the operator has to find out; the owner is told, in case it was somebody else.
 */
export async function forgetPasskeys(
  { db, tellOwner }: Pick<PasskeysContext, 'db' | 'tellOwner'>,
  { accountId, by }: { accountId: string; by: string },
): Promise<number> {
  const sites = await db.transaction(async (tx) => {
    const deleted = await deletePasskeysOf(tx, accountId);
    const [siteId] = deleted.toSorted();
    if (siteId !== undefined) await tellOwner(tx, { accountId, siteId, event: 'passkey_removed' });
    return deleted;
  });
  const forgotten = sites.length;
  if (forgotten > 0) log.warn({ accountId, by, forgotten }, 'an operator forgot passkeys');
  return forgotten;
}

/** On all sites, those that somebody may have added who was not the owner. Answers how many there were. */
export async function removePasskeysSince(
  tx: Tx,
  from: { accountId: string; since: Date },
): Promise<number> {
  return await deletePasskeysSince(tx, from);
}

/** The same for everybody: it says nothing of which accounts or passkeys there are. */
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

/** Begins a session, which counts as stepped up and ends the older one, as every sign-in does. */
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
  // Taken before and given back after, so that a flood at once cannot slip past the count.
  const limit = limitOf(network);
  await db.transaction(async (tx) => {
    const counts = await useLimits(tx, [limit], new Date(now()));
    if (counts === undefined) throw new AppError('SignInThrottled');
  });
  // A device that finds the passkey by itself also says whose it is.
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
 * The player's passkeys, if there may be one more. A stolen session must not be able to plant one: the
 * first needs a session that was begun a moment ago, every other one a step-up.
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

/** The passkey that has signed the challenge. An unknown one is refused like a wrong signature. */
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

/** What was wrong is for the log; whoever sent it learns only that it was. */
async function refusingWell<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'something was thrown';
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
