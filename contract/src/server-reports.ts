import * as z from 'zod/mini';
import { Slug } from './names.ts';

/** Bounded, because the database and calendars know no year 0. */
const Moment = z.iso.datetime({ offset: true }).check(z.regex(/^20\d\d-/));

const ReportedServer = z.strictObject({
  serverId: Slug,
  status: z.enum(['open', 'maintenance']),
  /** The end of this status; without it the status stays until the next report. */
  until: z.optional(Moment),
});

/**
 * Called by a game's back end in the same way as `game/ticket/issue`, at a site that sells the
 * game. What an operator says about a server counts before it.
 */
export const reportServers = {
  path: '/api/game/servers/report',
  summary:
    'Tells the status of servers of this game. In maintenance nobody can top up there and deliveries wait; after until the server is open again by itself',
  request: z.strictObject({
    gameId: Slug,
    servers: z.array(ReportedServer).check(
      z.minLength(1),
      z.maxLength(1_000),
      z.refine(
        (servers) => new Set(servers.map(({ serverId }) => serverId)).size === servers.length,
        'has a server twice',
      ),
    ),
  }),
  reply: z.discriminatedUnion('result', [
    z.strictObject({
      result: z.literal('ok'),
      /** Servers that the shop does not have. All others are kept. */
      unknownServers: z.array(Slug),
    }),
    z.strictObject({ result: z.literal('refused'), reason: z.literal('game_not_found') }),
    /** HTTP 401: not signed, signed by another game, expired, or a replay. */
    z.strictObject({ result: z.literal('unauthorized') }),
    /** HTTP 400: signed, but malformed. */
    z.strictObject({ result: z.literal('malformed') }),
  ]),
};
export type ServerReport = z.output<typeof reportServers.request>;
export type ReportServersReply = z.output<typeof reportServers.reply>;
