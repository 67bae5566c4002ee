import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../platform/pay-page.ts';
import { idOf, queryText } from '../platform/requests.ts';
import { decidePage, expiredPage, paidPage, unknownPage } from './pay-page.ts';
import { declineSession, type PayOutcome, paySession, successUrlOf } from './paying.ts';
import { expireDueSessions, expireSession, findSession } from './payments.ts';
import type { Provider } from './provider.ts';
import type { SessionRow } from './rows.ts';

/** The payer's pages: plain HTML forms, so that tests can submit them without a browser. */
export function registerPayRoutes(app: FastifyInstance, provider: Provider): void {
  app.addHook('onRequest', async () => expireDueSessions(provider));

  app.get('/c/pay/:id', (request, reply) => {
    const session = sessionOf(provider, request);
    const isDeclined = queryText(request, 'declined') !== undefined;
    return sendState(reply, session, { isDeclined });
  });
  app.post('/c/pay/:id/pay', (request, reply) =>
    afterPaying(reply, pay(provider, request), (session) => successUrlOf(session)),
  );
  app.post('/c/pay/:id/pay-and-stay', (request, reply) =>
    afterPaying(reply, pay(provider, request), (session) => `/c/pay/${session.id}`),
  );
  app.post('/c/pay/:id/decline', (request, reply) => {
    const session = declineSession(provider, idOf(request));
    if (session?.status === 'open') return reply.redirect(`/c/pay/${session.id}?declined=1`, 303);
    return sendState(reply, session, { isDeclined: false });
  });
  app.post('/c/pay/:id/expire', (request, reply) => {
    const session = sessionOf(provider, request);
    if (session?.status === 'open') {
      provider.db.transaction(() => expireSession(provider, { id: session.id, asker: null }));
      return reply.redirect(`/c/pay/${session.id}`, 303);
    }
    return sendState(reply, session, { isDeclined: false });
  });
}

function pay(provider: Provider, request: FastifyRequest): PayOutcome {
  return paySession(provider, { id: idOf(request) });
}

function afterPaying(
  reply: FastifyReply,
  result: PayOutcome,
  next: (session: SessionRow) => string,
): FastifyReply {
  if (result.outcome === 'not_found') return sendPage(reply, 404, unknownPage());
  if (result.outcome === 'expired') return sendPage(reply, 410, expiredPage(result.session));
  return reply.redirect(next(result.session), 303);
}

function sendState(
  reply: FastifyReply,
  session: SessionRow | undefined,
  input: { isDeclined: boolean },
): FastifyReply {
  if (session === undefined) return sendPage(reply, 404, unknownPage());
  if (session.status === 'complete') return sendPage(reply, 200, paidPage(session));
  if (session.status === 'expired') return sendPage(reply, 200, expiredPage(session));
  return sendPage(reply, 200, decidePage(session, input));
}

function sessionOf(provider: Provider, request: FastifyRequest): SessionRow | undefined {
  return findSession(provider, idOf(request));
}
