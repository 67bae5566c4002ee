import type { FastifyInstance } from 'fastify';
import { inboxPage } from '../platform/inbox-page.ts';
import { controlBody, explainMalformedCalls, queryText } from '../platform/requests.ts';
import { type Carrier, faultBody, type Message, newestMessages } from './carrier.ts';

/** The control API, with which tests and people read the messages and plan faults. */
export function registerControlRoutes(app: FastifyInstance, carrier: Carrier): void {
  explainMalformedCalls(app);

  app.get('/__sandbox', (request, reply) => {
    const to = queryText(request, 'to') || undefined;
    return reply.type('text/html; charset=utf-8').send(inbox(newestMessages(carrier, to), to));
  });
  app.get('/__sandbox/health', () => ({ ok: true, service: 'sms' }));
  app.get('/__sandbox/messages', (request) => ({
    messages: newestMessages(carrier, queryText(request, 'to')).map(toJson),
  }));

  app.get('/__sandbox/faults', () => ({ faults: carrier.faults.list() }));
  app.post('/__sandbox/faults', (request) => {
    const fault = controlBody(request, faultBody);
    carrier.faults.add({ ...fault, times: fault.times ?? 1 });
    return { faults: carrier.faults.list() };
  });
  app.post('/__sandbox/reset', () => {
    carrier.faults.clear();
    return { ok: true };
  });
}

function toJson({ id, at, provider, recipient, sender, text }: Message) {
  return { id, at, provider, to: recipient, from: sender, text };
}

function inbox(messages: readonly Message[], to: string | undefined): string {
  return inboxPage({
    title: 'Sandbox SMS',
    lead: 'Every message these test providers have taken, newest first. No telephone rang.',
    to,
    entries: messages.map(({ at, provider, recipient, sender, text }) => ({
      at,
      to: recipient,
      from: `${sender} (${provider})`,
      subject: null,
      text,
      more: null,
    })),
  });
}
