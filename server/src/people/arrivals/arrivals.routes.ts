import { gameSignatureHeader } from '@pointgate/contract/game-calls.ts';
import { putPerson } from '@pointgate/contract/real-names.ts';
import { reportServers } from '@pointgate/contract/server-reports.ts';
import { issueTicket, sdkTicket } from '@pointgate/contract/tickets.ts';
import type { FastifyInstance } from 'fastify';
import { playerRoute, requireSite } from '../../platform/http.ts';
import { takeOrThrottle } from '../../platform/limits.ts';
import { networkOf } from '../../platform/network.ts';
import type { PeopleContext } from '../real-names/real-names.ts';
import {
  type ArrivalSite,
  type ArrivalsContext,
  ticketForGame,
  ticketForPlayer,
} from './arrivals.ts';
import { personFromGame } from './person-from-game.ts';
import { type KeepServerReport, serversFromGame } from './servers-from-game.ts';

// Each ticket is a row that lives for two minutes.
const ticketsPerNetwork = { max: 120, seconds: 60 };

const statuses = { ok: 200, refused: 200, unauthorized: 401, malformed: 400, busy: 503 } as const;

interface GameRequest {
  body: Buffer;
  signature: string;
  requestId: string;
  site: ArrivalSite;
}

interface GameAnswer {
  result: keyof typeof statuses;
}

export function registerArrivalRoutes(
  app: FastifyInstance,
  context: ArrivalsContext & {
    people: PeopleContext;
    keepServerReport: KeepServerReport;
    siteOf: (siteId: string) => Promise<ArrivalSite>;
  },
): void {
  playerRoute(app, sdkTicket, async ({ body, player, request }) => {
    const key = `sdk-ticket:network:${networkOf(request.ip)}`;
    await takeOrThrottle(context.db, { key, ...ticketsPerNetwork }, new Date(context.now()));
    return await ticketForPlayer(context.db, {
      uid: body.uid,
      accountId: player.accountId,
      site: await context.siteOf(player.siteId),
    });
  });

  // A scope of its own without a body parser, because the signature covers the raw bytes.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    const gameRoute = (path: string, answerTo: (asked: GameRequest) => Promise<GameAnswer>) =>
      scope.post(path, async (request, reply) => {
        const { siteId } = await requireSite(app, request);
        const { body, id: requestId } = request;
        const signature = request.headers[gameSignatureHeader];
        const answer =
          Buffer.isBuffer(body) && typeof signature === 'string'
            ? await answerTo({ body, signature, requestId, site: await context.siteOf(siteId) })
            : ({ result: 'unauthorized' } as const);
        return await reply
          .status(statuses[answer.result])
          .header('cache-control', 'no-store')
          .send(answer);
      });
    gameRoute(issueTicket.path, (asked) => ticketForGame(context, asked));
    gameRoute(putPerson.path, (asked) => personFromGame(context, asked));
    gameRoute(reportServers.path, (asked) => serversFromGame(context, asked));
    done();
  });
}
