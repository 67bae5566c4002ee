import type { FastifyInstance } from 'fastify';
import { type Answer, createAnswer } from './call.ts';
import { missing } from './failure.ts';
import { chargeOfIntent, getIntent } from './intents.ts';
import { listPage } from './lists.ts';
import { registerMoneyRoutes } from './money.routes.ts';
import { intentObject, type WireObject } from './objects.ts';
import { expansions } from './params.ts';
import { readSessionParams } from './payment-params.ts';
import {
  createSession,
  expireDueSessions,
  expireSession,
  getSession,
  wireSession,
} from './payments.ts';
import type { Provider } from './provider.ts';
import { registerReportRoutes } from './report.routes.ts';
import { type EventRow, eventRow } from './rows.ts';

const sessionExpansions = ['payment_intent', 'payment_intent.latest_charge', 'line_items'];

/** The part of the provider's API that the shop uses. */
export function registerApiRoutes(app: FastifyInstance, provider: Provider): void {
  const answer = createAnswer(provider);
  app.addHook('onRequest', async () => expireDueSessions(provider));

  app.post('/v1/checkout/sessions', (request, reply) =>
    answer(request, reply, ({ form }) => {
      const expand = expansions(form, sessionExpansions);
      const input = readSessionParams(form, provider.clock.nowSeconds());
      return wireSession(provider, createSession(provider, input), expand);
    }),
  );
  app.get('/v1/checkout/sessions/:id', (request, reply) =>
    answer(request, reply, ({ id, form }) =>
      wireSession(provider, getSession(provider, id), expansions(form, sessionExpansions)),
    ),
  );
  app.post('/v1/checkout/sessions/:id/expire', (request, reply) =>
    answer(request, reply, ({ id, form, asker }) => {
      const expand = expansions(form, sessionExpansions);
      return wireSession(provider, expireSession(provider, { id, asker }), expand);
    }),
  );
  app.get('/v1/payment_intents/:id', (request, reply) =>
    answer(request, reply, ({ id, form }) => {
      const expand = expansions(form, ['latest_charge']).has('latest_charge');
      const intent = getIntent(provider, id);
      return intentObject(intent, chargeOfIntent(provider, { intentId: intent.id, expand }));
    }),
  );
  registerMoneyRoutes(app, provider, answer);
  registerEventRoutes(app, provider, answer);
  registerReportRoutes(app, provider, answer);

  // Unknown paths are answered without authentication, as Stripe does.
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    return reply.code(404).send({
      error: {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${request.method}: ${path}).`,
      },
    });
  });
}

function registerEventRoutes(app: FastifyInstance, provider: Provider, answer: Answer): void {
  app.get('/v1/events', (request, reply) =>
    answer(request, reply, ({ form }) => {
      expansions(form, []);
      return listPage(provider, {
        form,
        url: '/v1/events',
        table: 'events',
        filters: ['type'],
        reader: eventRow,
        wire: eventObject,
      });
    }),
  );
  app.get('/v1/events/:id', (request, reply) =>
    answer(request, reply, ({ id }) => {
      const row = provider.db.one(eventRow, 'select * from events where id = ?', id);
      if (row === undefined) throw missing({ kind: 'event', id, param: 'id' });
      return eventObject(row);
    }),
  );
}

/** The event as it was sent, with the state of its object at that time. */
export function eventObject(row: EventRow): WireObject {
  return JSON.parse(row.payload);
}
