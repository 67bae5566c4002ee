import {
  type ArrivalSource,
  arrivalSources,
  tokenSecondsMax,
} from '@pointgate/contract/arrivals.ts';
import {
  type IssueTicketReply,
  issueTicket,
  Ticket,
  ticketSeconds,
} from '@pointgate/contract/tickets.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { countDown, takeOrThrottle } from '../../platform/limits.ts';
import { log } from '../../platform/log.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';
import type { SecretsOf } from '../../publisher/secrets/secrets.ts';
import { displayNameOf, type Session, startSession, whoIs } from '../accounts/accounts.ts';
import { findOrMakeOwner, type OnManyNewPlayers, ownerOf } from '../accounts/game-accounts.ts';
import {
  deleteOldArrivals,
  deleteOldTickets,
  deleteTicket,
  insertOwnTicket,
  insertTicket,
  insertUsedArrival,
  selectJwksUrl,
} from './arrivals.queries.ts';
import { isFirstTime, readSigned } from './game-request.ts';
import type { GameToken, ReadGameToken } from './game-token.ts';

/** A site and its games. */
export interface ArrivalSite {
  siteId: string;
  gameIds: readonly string[];
}

export interface ArrivalsContext {
  db: Db;
  readGameToken: ReadGameToken;
  secretsOf: SecretsOf;
  onManyNewPlayers: OnManyNewPlayers;
  now: () => number;
}

interface Arrival {
  given: string;
  from: string | undefined;
  site: ArrivalSite;
  network: string;
  /** The account of the browser's session. */
  signedInAs: string | undefined;
  /** The player has confirmed to switch accounts. */
  mayReplace: boolean;
}

/** The arriving account and, as a player may have several, its game account. */
interface Arrived {
  accountId: string;
  gameAccount: { gameId: string; gameAccountId: string };
  /** The end of the session that requested the ticket. */
  endsAt?: Date | undefined;
}

// A ticket cannot be guessed, but each attempt costs a transaction or a signature check.
const refusedPerNetworkMax = 100;

/**
 * Signs a player in with a ticket or token and ends the account's older session on this site, like
 * every sign-in. The session uses the game account of the ticket or token. Every failure is refused
 * alike and changes nothing. While another account is signed in, the player must confirm first:
 * anybody can send a link to anybody.
 */
export async function arrive(
  context: ArrivalsContext,
  { given, from, site, network, signedInAs, mayReplace }: Arrival,
): Promise<Session> {
  const { db, readGameToken, now } = context;
  const key = `arrival:network:${network}`;
  const limit = { key, max: refusedPerNetworkMax, seconds: 60 * 60 };
  // Counted before and given back on success, so that concurrent attempts cannot exceed the limit.
  await takeOrThrottle(db, limit, new Date(now()));
  const isTicket = Ticket.safeParse(given).success;
  // Outside the transaction, because it may fetch the keys of the game over the network.
  const token = isTicket ? undefined : await readGameToken(given);
  const begun = await db.transaction(async (tx) => {
    const arrived = isTicket
      ? await takeTicket(tx, given, site)
      : await takeToken(tx, context, { token, site });
    if (arrived === undefined) throw new AppError('ArrivalRefused');
    const { accountId } = arrived;
    const isOther = signedInAs !== undefined && signedInAs !== accountId;
    if (isOther && !mayReplace) {
      throw new AppError('OtherAccount', { displayName: await displayNameOf(tx, accountId) });
    }
    await countDown(tx, [{ key, by: 1 }], new Date(now()));
    const session = await startSession(tx, { ...arrived, siteId: site.siteId, by: 'link' });
    return { accountId, token: session };
  });
  log.info({ by: isTicket ? 'ticket' : 'token', from: sourceOf(from) }, 'a player arrived');
  const signedIn = await whoIs(db, { ...site, accountId: begun.accountId });
  return { token: begun.token, signedIn };
}

async function takeTicket(
  tx: Tx,
  ticket: string,
  { siteId }: ArrivalSite,
): Promise<Arrived | undefined> {
  const row = await deleteTicket(tx, { siteId, ticketHash: hashSecret(ticket) });
  if (row === undefined) return undefined;
  const gameAccount = { gameId: row.game_id, gameAccountId: row.game_account_id };
  return { accountId: row.account_id, gameAccount, endsAt: row.session_ends_at ?? undefined };
}

/** A token of a game that the site does not sell is refused. */
async function takeToken(
  tx: Tx,
  { onManyNewPlayers, now }: ArrivalsContext,
  { token, site }: { token: GameToken | undefined; site: ArrivalSite },
): Promise<Arrived | undefined> {
  if (token === undefined || !isGameOf(site, token.gameId)) return undefined;
  const isFirst = await insertUsedArrival(tx, {
    gameId: token.gameId,
    digest: hashSecret(`token ${token.jti}`),
    keepSeconds: tokenSecondsMax * 2, // longer than any token lives
  });
  if (!isFirst) return undefined;
  const player = { ...token, now: new Date(now()) };
  const accountId = await findOrMakeOwner(tx, player, onManyNewPlayers);
  if (accountId === undefined) return undefined;
  const { gameId, gameAccountId } = token;
  return { accountId, gameAccount: { gameId, gameAccountId } };
}

export function isGameOf(site: ArrivalSite, gameId: string): boolean {
  return site.gameIds.includes(gameId);
}

/** The account that has this game account; undefined if the site does not sell the game. */
export async function playerOf(
  tx: Tx,
  { site, ...key }: { gameId: string; gameAccountId: string; site: ArrivalSite },
): Promise<string | undefined> {
  return isGameOf(site, key.gameId) ? await ownerOf(tx, key) : undefined;
}

/** Issues a ticket for a game account of the player. */
export async function ticketForPlayer(
  db: Db,
  { uid, accountId, site }: { uid: string; accountId: string; site: ArrivalSite },
): Promise<{ ticket: string; expiresAt: string }> {
  const ticket = newTicket();
  const made = await db.transaction((tx) =>
    insertOwnTicket(tx, {
      ...site,
      accountId,
      gameAccountId: uid,
      ticketHash: hashSecret(ticket),
      seconds: ticketSeconds,
    }),
  );
  if (made === undefined) throw new AppError('GameAccountNotFound');
  return { ticket, expiresAt: made.expires_at.toISOString() };
}

/**
 * Issues a ticket to a game's back end, which must have signed the body in the last five minutes.
 * Makes an account for a new player if the game says so.
 */
export async function ticketForGame(
  { db, secretsOf, onManyNewPlayers, now }: ArrivalsContext,
  { body, signature, site }: { body: Buffer; signature: string; site: ArrivalSite },
): Promise<IssueTicketReply> {
  const signed = await readSigned({ body, signature, secretsOf, nowMs: now() });
  if (signed === undefined) return { result: 'unauthorized' };
  // The shop signs its own calls with the same secrets, but none of them matches this schema.
  const asked = issueTicket.request.safeParse(signed.said);
  if (!asked.success) return { result: 'malformed' };

  const issued = db.transaction(async (tx): Promise<IssueTicketReply> => {
    if (!(await isFirstTime(tx, signed))) return { result: 'unauthorized' };
    const { gameId, gameAccountId, displayName } = asked.data;
    const player = { gameId, gameAccountId, displayName, now: new Date(now()) };
    const accountId = isGameOf(site, gameId)
      ? await findOrMakeOwner(tx, player, onManyNewPlayers)
      : undefined;
    if (accountId === undefined) return { result: 'refused', reason: 'game_account_not_found' };
    const ticket = newTicket();
    const { expires_at } = await insertTicket(tx, {
      siteId: site.siteId,
      gameId,
      gameAccountId,
      accountId,
      ticketHash: hashSecret(ticket),
      seconds: ticketSeconds,
    });
    return { result: 'ok', ticket, expiresAt: expires_at.toISOString() };
  });
  return await issued.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'SystemBusy') return { result: 'busy' };
    throw error;
  });
}

export async function jwksUrlOf(db: Db, gameId: string): Promise<string | undefined> {
  return (await selectJwksUrl(db, gameId))?.jwks_url ?? undefined;
}

/** Deletes expired tickets and the ids of tokens and requests that are too old for a replay. */
export async function forgetOldArrivals(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldTickets, deleteOldArrivals);
}

export function sourceOf(from: string | undefined): ArrivalSource {
  return arrivalSources.find((source) => source === from) ?? 'unknown';
}

function newTicket(): string {
  return `tk_${newSecret()}`;
}
