import { createHash, randomBytes } from 'node:crypto';
import {
  type ArrivalSource,
  arrivalSources,
  type IssueTicketReply,
  issueTicket,
  Ticket,
  ticketSeconds,
  tokenSecondsMax,
} from '@pointgate/contract/arrivals.ts';
import { type Session, startSession, whoIs } from '../accounts/accounts.ts';
import { signatureWindowSeconds, signedAt } from '../games/game-signature.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { log } from '../platform/log.ts';
import {
  deleteOldArrivals,
  deleteTicket,
  insertOwnTicket,
  insertTicket,
  insertUsedArrival,
  selectJwksUrl,
  selectOwners,
} from './arrivals.queries.ts';
import type { GameToken, ReadGameToken } from './game-token.ts';

/** A site, and its game where it has only one. */
export interface ArrivalSite {
  siteId: string;
  gameId: string | null;
}

export interface ArrivalsContext {
  db: Db;
  readGameToken: ReadGameToken;
  /** For each game the secrets it may sign with. */
  gameSecrets: Readonly<Record<string, readonly string[]>>;
  now: () => number;
}

/**
 * Signs a player in with a ticket or a token, and ends the account's older session on this site, as
 * every sign-in does. Whatever is wrong with it is refused in one way and changes nothing.
 */
export async function arrive(
  { db, readGameToken }: ArrivalsContext,
  { given, from, site }: { given: string; from: string | undefined; site: ArrivalSite },
): Promise<Session> {
  const isTicket = Ticket.safeParse(given).success;
  // Before the transaction, because the game may have to be asked for its keys.
  const token = isTicket ? undefined : await readGameToken(given);
  const begun = await db.transaction(async (tx) => {
    const accountId = isTicket
      ? (await deleteTicket(tx, { ...site, ticketHash: hash(given) }))?.account_id
      : await accountOfToken(tx, token, site);
    if (accountId === undefined) throw new AppError('ArrivalRefused');
    return { accountId, token: await startSession(tx, { accountId, siteId: site.siteId }) };
  });
  log.info({ by: isTicket ? 'ticket' : 'token', from: sourceOf(from) }, 'a player arrived');
  const signedIn = await whoIs(db, { accountId: begun.accountId, gameId: site.gameId });
  return { token: begun.token, signedIn };
}

/** Uses the token up. One of another game than the site's is none. */
async function accountOfToken(
  tx: Tx,
  token: GameToken | undefined,
  site: ArrivalSite,
): Promise<string | undefined> {
  if (token === undefined || !isGameOf(site, token.gameId)) return undefined;
  const isFirst = await insertUsedArrival(tx, {
    gameId: token.gameId,
    digest: hash(`token ${token.jti}`),
    keepSeconds: tokenSecondsMax * 2, // longer than any token lives
  });
  return isFirst ? await ownerOf(tx, token) : undefined;
}

function isGameOf(site: ArrivalSite, gameId: string): boolean {
  return site.gameId === null || site.gameId === gameId;
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
      ticketHash: hash(ticket),
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
  // Read before it is verified, because it says whose secrets to verify it with.
  const said = readJson(body);
  const gameId = gameIdIn(said);
  const secrets = Object.hasOwn(gameSecrets, gameId) ? (gameSecrets[gameId] ?? []) : [];
  const t = signedAt(signature, { body, secrets, nowMs: now() });
  if (t === undefined) return { result: 'unauthorized' };
  // The shop's own calls are signed with the same secrets; none of them has this form.
  const asked = issueTicket.request.safeParse(said);
  if (!asked.success) return { result: 'malformed' };

  return await db.transaction(async (tx): Promise<IssueTicketReply> => {
    const isFirst = await insertUsedArrival(tx, {
      gameId,
      // Not the header: the same signature can be written in many ways.
      digest: createHash('sha256').update(`request ${t}.`).update(body).digest(),
      keepSeconds: signatureWindowSeconds * 3,
    });
    if (!isFirst) return { result: 'unauthorized' };
    const { gameAccountId } = asked.data;
    const accountId = isGameOf(site, gameId)
      ? await ownerOf(tx, { gameId, gameAccountId })
      : undefined;
    if (accountId === undefined) return { result: 'refused', reason: 'game_account_not_found' };
    const ticket = newTicket();
    const { expires_at } = await insertTicket(tx, {
      siteId: site.siteId,
      gameId,
      gameAccountId,
      accountId,
      ticketHash: hash(ticket),
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
  await db.transaction(deleteOldArrivals);
}

export function sourceOf(from: string | undefined): ArrivalSource {
  return arrivalSources.find((source) => source === from) ?? 'unknown';
}

function newTicket(): string {
  return `tk_${randomBytes(32).toString('base64url')}`;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function gameIdIn(said: unknown): string {
  if (typeof said !== 'object' || said === null || !('gameId' in said)) return '';
  return typeof said.gameId === 'string' ? said.gameId : '';
}
