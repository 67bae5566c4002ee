import { issueTicket, sdkTicket } from '@pointgate/contract/arrivals.ts';
import { gameSignatureHeader } from '@pointgate/contract/game-calls.ts';
import type { FastifyInstance } from 'fastify';
import { playerRoute, requireSite } from '../platform/http.ts';
import {
  type ArrivalSite,
  type ArrivalsContext,
  ticketForGame,
  ticketForPlayer,
} from './arrivals.ts';

const statuses = { ok: 200, refused: 200, unauthorized: 401, malformed: 400 } as const;

export function registerArrivalRoutes(
  app: FastifyInstance,
  context: ArrivalsContext & { siteOf: (siteId: string) => Promise<ArrivalSite> },
): void {
  playerRoute(app, sdkTicket, async ({ body, player }) =>
    ticketForPlayer(context.db, {
      uid: body.uid,
      accountId: player.accountId,
      site: await context.siteOf(player.siteId),
    }),
  );

  // Of its own scope, because a signature covers bytes: nothing may parse them first.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.post(issueTicket.path, async (request, reply) => {
      const { siteId } = await requireSite(app, request);
      const { body } = request;
      const signature = request.headers[gameSignatureHeader];
      const answer =
        Buffer.isBuffer(body) && typeof signature === 'string'
          ? await ticketForGame(context, { body, signature, site: await context.siteOf(siteId) })
          : ({ result: 'unauthorized' } as const);
      return await reply
        .status(statuses[answer.result])
        .header('cache-control', 'no-store')
        .send(answer);
    });
    done();
  });
}
