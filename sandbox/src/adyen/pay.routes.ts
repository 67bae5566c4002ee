import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPage } from '../platform/pay-page.ts';
import { idOf, queryText } from '../platform/requests.ts';
import { challengePage, decidePage, overPage, paidPage } from './pay-page.ts';
import { beginChallenge, paySession, refuseSession, returnUrlOf, setStatus } from './paying.ts';
import { findSession } from './payments.ts';
import type { Provider } from './provider.ts';
import type { SessionRow } from './rows.ts';

/** The payer's pages: plain HTML forms, so that tests can submit them without a browser. */
export function registerPayRoutes(app: FastifyInstance, provider: Provider): void {
  app.get('/hosted/:id', (request, reply) => {
    const isDeclined = queryText(request, 'declined') !== undefined;
    return sendState(reply, findSession(provider, idOf(request)), { isDeclined });
  });
  app.post('/hosted/:id/pay', (request, reply) => {
    const paid = paySession(provider, { id: idOf(request) });
    const isPaid = paid.outcome === 'paid' || paid.outcome === 'already_paid';
    if (isPaid) return reply.redirect(returnUrlOf(paid.session), 303);
    return sendState(reply, findSession(provider, idOf(request)));
  });
  app.post('/hosted/:id/pay-and-stay', (request, reply) => {
    paySession(provider, { id: idOf(request) });
    return reply.redirect(`/hosted/${idOf(request)}`, 303);
  });
  app.post('/hosted/:id/challenge', (request, reply) => {
    const session = beginChallenge(provider, idOf(request));
    if (session?.status !== 'active') return sendState(reply, session);
    return sendPage(reply, 200, challengePage(session));
  });
  app.post('/hosted/:id/decline', (request, reply) => {
    const session = refuseSession(provider, idOf(request));
    if (session?.status !== 'active') return sendState(reply, session);
    return reply.redirect(`/hosted/${session.id}?declined=1`, 303);
  });
  for (const [path, status] of [
    ['cancel', 'canceled'],
    ['expire', 'expired'],
  ] as const) {
    app.post(`/hosted/:id/${path}`, (request, reply) => {
      const session = findSession(provider, idOf(request));
      if (session?.status === 'active') setStatus(provider, session.id, status);
      return sendState(reply, findSession(provider, idOf(request)));
    });
  }
}

function sendState(
  reply: FastifyReply,
  session: SessionRow | undefined,
  { isDeclined } = { isDeclined: false },
): FastifyReply {
  switch (session?.status) {
    case 'active':
      return sendPage(reply, 200, decidePage(session, { isDeclined }));
    case 'completed':
      return sendPage(reply, 200, paidPage(session, returnUrlOf(session)));
    default:
      return sendPage(reply, session === undefined ? 404 : 410, overPage(session));
  }
}
