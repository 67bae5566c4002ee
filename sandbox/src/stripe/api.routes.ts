import type { FastifyInstance } from 'fastify';
import { createAnswer } from './call.ts';
import { missing } from './failure.ts';
import { listPage } from './lists.ts';
import { chargeObject, intentObject, refundObject, type WireObject } from './objects.ts';
import { expansions } from './params.ts';
import { chargeOfIntent, findCharge, getIntent } from './payments.ts';
import type { Provider } from './provider.ts';
import { createRefund, getRefund } from './refunds.ts';
import { chargeRow, type EventRow, eventRow, refundRow } from './rows.ts';
import { readSessionParams } from './session-params.ts';
import {
  createSession,
  expireDueSessions,
  expireSession,
  getSession,
  wireSession,
} from './sessions.ts';

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
  registerRefundRoutes(app, provider, answer);
  registerRecordRoutes(app, provider, answer);

  // Any other path, with any key: the provider answers before it looks at who asks.
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

type Answer = ReturnType<typeof createAnswer>;

function registerRefundRoutes(app: FastifyInstance, provider: Provider, answer: Answer): void {
  app.post('/v1/refunds', (request, reply) =>
    answer(request, reply, ({ form, asker }) =>
      refundObject(createRefund(provider, { form, asker })),
    ),
  );
  app.get('/v1/refunds/:id', (request, reply) =>
    answer(request, reply, ({ id }) => refundObject(getRefund(provider, id))),
  );
  app.get('/v1/refunds', (request, reply) =>
    answer(request, reply, ({ form }) =>
      listPage(provider, {
        form,
        url: '/v1/refunds',
        table: 'refunds',
        filters: ['charge', 'payment_intent'],
        reader: refundRow,
        wire: refundObject,
      }),
    ),
  );
}

function registerRecordRoutes(app: FastifyInstance, provider: Provider, answer: Answer): void {
  app.get('/v1/charges', (request, reply) =>
    answer(request, reply, ({ form }) =>
      listPage(provider, {
        form,
        url: '/v1/charges',
        table: 'charges',
        filters: ['payment_intent'],
        reader: chargeRow,
        wire: chargeObject,
      }),
    ),
  );
  app.get('/v1/charges/:id', (request, reply) =>
    answer(request, reply, ({ id }) => {
      const row = findCharge(provider, id);
      if (row === undefined) throw missing({ kind: 'charge', id, param: 'charge' });
      return chargeObject(row);
    }),
  );
  app.get('/v1/events', (request, reply) =>
    answer(request, reply, ({ form }) =>
      listPage(provider, {
        form,
        url: '/v1/events',
        table: 'events',
        filters: ['type'],
        reader: eventRow,
        wire: eventObject,
      }),
    ),
  );
  app.get('/v1/events/:id', (request, reply) =>
    answer(request, reply, ({ id }) => {
      const row = provider.db.one(eventRow, 'select * from events where id = ?', id);
      if (row === undefined) throw missing({ kind: 'event', id, param: 'id' });
      return eventObject(row);
    }),
  );
}

/** The event as it was sent: it tells how things were, not how they are. */
export function eventObject(row: EventRow): WireObject {
  return JSON.parse(row.payload);
}
