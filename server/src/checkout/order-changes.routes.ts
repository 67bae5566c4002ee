import type { ServerResponse } from 'node:http';
import { orderChangesPath } from '@pointgate/contract/orders.ts';
import type { FastifyInstance } from 'fastify';
import { findOrder } from '../money/orders/orders.ts';
import { sessionsTopic } from '../people/accounts/accounts.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { answerHeaders, requirePlayer, requireSite } from '../platform/http.ts';
import { isId } from '../platform/ids.ts';
import type { Live } from '../platform/live.ts';

const keepAliveMs = 20_000;
const streamMs = 10 * 60_000;
/** Of one session, in each process. */
const streamsPerSessionMax = 4;

/**
 * One `changed` event each time the order moves, and `heard` now and then while changes in other
 * processes are heard of. The browser opens a new stream when it ends, but not after `replaced`: then
 * the session has opened so many others that this one had to go.
 */
export function registerOrderChanges(
  app: FastifyInstance,
  { db, live }: { db: Db; live: Live },
): void {
  const streams = new Map<string, ServerResponse[]>();
  let isStopping = false;
  // A server that is told to stop waits for its connections, and a stream would last for minutes.
  app.addHook('preClose', (done) => {
    isStopping = true;
    for (const ofSession of streams.values()) for (const stream of ofSession) stream.end();
    done();
  });
  const keep = (session: string, stream: ServerResponse) => {
    const before = streams.get(session) ?? [];
    const tooMany = before.slice(0, Math.max(0, before.length + 1 - streamsPerSessionMax));
    for (const oldest of tooMany) oldest.end('event: replaced\ndata: {}\n\n');
    streams.set(session, [...before.slice(tooMany.length), stream]);
  };
  const drop = (session: string, stream: ServerResponse) => {
    const left = (streams.get(session) ?? []).filter((other) => other !== stream);
    if (left.length > 0) streams.set(session, left);
    else streams.delete(session);
  };

  app.get<{ Params: { paymentId: string } }>(
    orderChangesPath(':paymentId'),
    async (request, reply) => {
      const site = await requireSite(app, request);
      const { accountId, siteId } = await requirePlayer(app, { request, site });
      const { paymentId } = request.params;
      const order = isId(paymentId) ? await findOrder(db, { accountId, paymentId }) : undefined;
      if (order === undefined) throw new AppError('PaymentIdWrong');

      reply.hijack();
      const stream = reply.raw;
      // Not sent as other answers are, which get these by themselves.
      stream.writeHead(200, {
        ...answerHeaders,
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        connection: 'close',
        'x-accel-buffering': 'no',
      });
      const say = (text: string) => stream.write(text);
      const stillHere = () =>
        live.hearsOthers() ? 'event: heard\ndata: {}\n\n' : ': still here\n\n';
      const endWithSession = async () => {
        // While the database does not answer nobody can tell, and nothing is told here either.
        const player = await app.authenticate(request, site).catch(() => undefined);
        if (player === 'none' || player === 'ended') stream.end();
      };
      // Something may have happened between the page's reading and this listening.
      say(`retry: 2000\nevent: changed\ndata: {}\n\n${stillHere()}`);
      const stops = [
        live.listen(paymentId, () => say('event: changed\ndata: {}\n\n')),
        live.listen(sessionsTopic(accountId), () => void endWithSession()),
      ];
      const keepAlive = setInterval(() => {
        say(stillHere());
        // Where the end of a session was not heard of: Redis may have been away.
        void endWithSession();
      }, keepAliveMs);
      const end = setTimeout(() => stream.end(), streamMs);
      const session = `${accountId} ${siteId}`;
      keep(session, stream);
      stream.on('close', () => {
        drop(session, stream);
        for (const stop of stops) stop();
        clearInterval(keepAlive);
        clearTimeout(end);
      });
      // Its order was being looked up when all others were told to end.
      if (isStopping) stream.end();
    },
  );
}
