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
import { displayNameOf, type Session, startSession, whoIs } from '../accounts/accounts.ts';
import {
  deleteOldArrivals,
  deleteOldTickets,
  deleteTicket,
  insertOwnTicket,
  insertTicket,
  insertUsedArrival,
  selectJwksUrl,
  selectOwners,
} from './arrivals.queries.ts';
import { isFirstTime, readSigned } from './game-request.ts';
import type { GameToken, ReadGameToken } from './game-token.ts';

/** A site, and the games that it sells. */
export interface ArrivalSite {
  siteId: string;
  gameIds: readonly string[];
}

export interface ArrivalsContext {
  db: Db;
  readGameToken: ReadGameToken;
  /** For each game the secrets it may sign with. */
  gameSecrets: Readonly<Record<string, readonly string[]>>;
  now: () => number;
}

interface Arrival {
  given: string;
  from: string | undefined;
  site: ArrivalSite;
  network: string;
  /** Whose session the browser has. */
  signedInAs: string | undefined;
  /** The player was asked, and wants to be signed in as somebody else. */
  mayReplace: boolean;
}

/** Who has arrived: a player may have several accounts in a game, and comes with one. */
interface Arrived {
  accountId: string;
  gameAccount: { gameId: string; gameAccountId: string };
  /** When the session ends that the ticket was fetched with. */
  endsAt?: Date | undefined;
}

// Nobody guesses a ticket; but each try costs a transaction, and a token the check of a signature.
const refusedPerNetworkMax = 100;

/**
 * Signs a player in with a ticket or a token, and ends the account's older session on this site, as
 * every sign-in does. The session is on the game account that the ticket or token is for. Whatever
 * is wrong with it is refused in one way and changes nothing. Nor does one for another account than the
 * one that is signed in, before the player says so: anybody can send anybody a link.
 */
export async function arrive(
  { db, readGameToken, now }: ArrivalsContext,
  { given, from, site, network, signedInAs, mayReplace }: Arrival,
): Promise<Session> {
  const key = `arrival:network:${network}`;
  const limit = { key, max: refusedPerNetworkMax, seconds: 60 * 60 };
  // Taken before and given back after, so that a flood at once cannot slip past the count.
  await takeOrThrottle(db, limit, new Date(now()));
  const isTicket = Ticket.safeParse(given).success;
  // Before the transaction, because the game may have to be asked for its keys.
  const token = isTicket ? undefined : await readGameToken(given);
  const begun = await db.transaction(async (tx) => {
    const arrived = isTicket ? await takeTicket(tx, given, site) : await takeToken(tx, token, site);
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

/** One of a game that the site does not sell is none. */
async function takeToken(
  tx: Tx,
  token: GameToken | undefined,
  site: ArrivalSite,
): Promise<Arrived | undefined> {
  if (token === undefined || !isGameOf(site, token.gameId)) return undefined;
  const isFirst = await insertUsedArrival(tx, {
    gameId: token.gameId,
    digest: hashSecret(`token ${token.jti}`),
    keepSeconds: tokenSecondsMax * 2, // longer than any token lives
  });
  const accountId = isFirst ? await ownerOf(tx, token) : undefined;
  if (accountId === undefined) return undefined;
  const { gameId, gameAccountId } = token;
  return { accountId, gameAccount: { gameId, gameAccountId } };
}

function isGameOf(site: ArrivalSite, gameId: string): boolean {
  return site.gameIds.includes(gameId);
}

/** Whose account a game speaks of at this site; nobody where it is no game of the site. */
export async function playerOf(
  tx: Tx,
  { site, ...key }: { gameId: string; gameAccountId: string; site: ArrivalSite },
): Promise<string | undefined> {
  return isGameOf(site, key.gameId) ? await ownerOf(tx, key) : undefined;
}

/** Nobody, if several accounts share the game account: whose points would the player spend? */
async function ownerOf(
  tx: Tx,
  key: { gameId: string; gameAccountId: string },
): Promise<string | undefined> {
  const [owner, another] = await selectOwners(tx, key);
  return another === undefined ? owner?.account_id : undefined;
}

/** A ticket for a game account that is the player's own. */
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

/** Answers a game's back end, which has to have signed these bytes in the last five minutes. */
export async function ticketForGame(
  { db, gameSecrets, now }: ArrivalsContext,
  { body, signature, site }: { body: Buffer; signature: string; site: ArrivalSite },
): Promise<IssueTicketReply> {
  const signed = readSigned({ body, signature, gameSecrets, nowMs: now() });
  if (signed === undefined) return { result: 'unauthorized' };
  // The shop's own calls are signed with the same secrets; none of them has this form.
  const asked = issueTicket.request.safeParse(signed.said);
  if (!asked.success) return { result: 'malformed' };

  return await db.transaction(async (tx): Promise<IssueTicketReply> => {
    if (!(await isFirstTime(tx, signed))) return { result: 'unauthorized' };
    const { gameId, gameAccountId } = asked.data;
    const accountId = await playerOf(tx, { gameId, gameAccountId, site });
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
}

export async function jwksUrlOf(db: Db, gameId: string): Promise<string | undefined> {
  return (await selectJwksUrl(db, gameId))?.jwks_url ?? undefined;
}

/** Tickets nobody used, and what is too old to be replayed. */
export async function forgetOldArrivals(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldTickets, deleteOldArrivals);
}

export function sourceOf(from: string | undefined): ArrivalSource {
  return arrivalSources.find((source) => source === from) ?? 'unknown';
}

function newTicket(): string {
  return `tk_${newSecret()}`;
}
