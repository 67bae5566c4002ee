import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { ForeignId, PlayerName, Slug } from './names.ts';

// A ticket signs its holder in. Games request tickets; browsers only forward them.

export const Ticket = z.string().check(z.regex(/^tk_[\w-]{43}$/));

export const ticketSeconds = 120;

const issued = { ticket: Ticket, expiresAt: z.iso.datetime() };

export const sdkTicket = endpoint({
  method: 'POST',
  path: '/api/user/sdk/ticket/get',
  summary: "A ticket for one of the player's own game accounts; it works once and for 120 seconds",
  access: 'player',
  body: z.strictObject({ uid: ForeignId }),
  reply: z.strictObject(issued),
  refusals: ['GameAccountNotFound', 'SignInThrottled'],
});

/**
 * Called by a game's back end at the host name of the target site, and signed like the shop's calls
 * to the game. Browsers do not call it, so it is not in the list of endpoints.
 */
export const issueTicket = {
  path: '/api/game/ticket/issue',
  summary: 'A ticket that signs a player of this game in, once and within 120 seconds',
  request: z.strictObject({
    gameId: Slug,
    gameAccountId: ForeignId,
    /** Names the account that is made for a player who has none. */
    displayName: z.optional(PlayerName),
  }),
  reply: z.discriminatedUnion('result', [
    z.strictObject({ result: z.literal('ok'), ...issued }),
    z.strictObject({ result: z.literal('refused'), reason: z.literal('game_account_not_found') }),
    /** HTTP 401: not signed, signed by another game, expired, or a replay. */
    z.strictObject({ result: z.literal('unauthorized') }),
    /** HTTP 400: signed, but malformed. */
    z.strictObject({ result: z.literal('malformed') }),
    /** HTTP 503: the game has brought as many new players in this minute as it may. */
    z.strictObject({ result: z.literal('busy') }),
  ]),
};
export type IssueTicketReply = z.output<typeof issueTicket.reply>;
