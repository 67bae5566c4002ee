import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { ForeignId, Slug } from './names.ts';

// Whoever holds a ticket comes to the shop signed in. Games ask for them; a browser only carries one.

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
 * Asked by a game's back end at the host name of the site that the player is going to, and signed as
 * the shop's own calls to the game are. No browser sends it, so it is no endpoint like the others.
 */
export const issueTicket = {
  path: '/api/game/ticket/issue',
  summary: 'A ticket that signs a player of this game in, once and within 120 seconds',
  request: z.strictObject({ gameId: Slug, gameAccountId: ForeignId }),
  reply: z.discriminatedUnion('result', [
    z.strictObject({ result: z.literal('ok'), ...issued }),
    z.strictObject({ result: z.literal('refused'), reason: z.literal('game_account_not_found') }),
    /** With HTTP 401: not signed, not by this game, not just now, or sent before. */
    z.strictObject({ result: z.literal('unauthorized') }),
    /** With HTTP 400: signed, and yet nothing that this call takes. */
    z.strictObject({ result: z.literal('malformed') }),
  ]),
};
export type IssueTicketReply = z.output<typeof issueTicket.reply>;
