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
/** Per session and process. */
const streamsPerSessionMax = 4;

/**
 * Sends `changed` after every change of the order, and `heard` from time to time while changes in
 * other processes arrive. The browser reconnects when the stream ends, except after `replaced`:
 * then the session has opened too many newer streams.
 */
export function registerOrderChanges(
  app: FastifyInstance,
  { db, live }: { db: Db; live: Live },
): void {
  const streams = new Map<string, ServerResponse[]>();
  let isStopping = false;
  // A server shutdown waits for open connections, and a stream would stay open for minutes.
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
      // A hijacked reply does not get the headers that Fastify adds to other responses.
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
        // While the database is down the session cannot be checked, so the stream stays open.
        const player = await app.authenticate(request, site).catch(() => undefined);
        if (player === 'none' || player === 'ended') stream.end();
      };
      // The order may have changed after the page was read and before this listener started.
      say(`retry: 2000\nevent: changed\ndata: {}\n\n${stillHere()}`);
      const stops = [
        live.listen(paymentId, () => say('event: changed\ndata: {}\n\n')),
        live.listen(sessionsTopic(accountId), () => void endWithSession()),
      ];
      const keepAlive = setInterval(() => {
        say(stillHere());
        // Without Redis the end of a session in another process is not announced.
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
      // The server began to stop while the order of this stream was looked up.
      if (isStopping) stream.end();
    },
  );
}
