import type { FastifyInstance } from 'fastify';
import { html } from '../platform/html.ts';
import { inboxPage } from '../platform/inbox-page.ts';
import { controlBody, explainMalformedCalls, queryText } from '../platform/requests.ts';
import { object, text } from '../platform/shape.ts';
import { faultBody, type Mailbox, type Message, messageOf, newestMessages } from './mailbox.ts';
import type { Smtp } from './smtp.ts';

const idParams = object({ id: text });

/** The control API, with which tests and people read the mails and plan faults. */
export function registerControlRoutes(
  app: FastifyInstance,
  { mailbox, smtp }: { mailbox: Mailbox; smtp: Smtp },
): void {
  explainMalformedCalls(app);

  app.get('/__sandbox', (request, reply) => {
    const to = queryText(request, 'to') || undefined;
    return reply.type('text/html; charset=utf-8').send(inbox(newestMessages(mailbox, to), to));
  });
  app.get('/__sandbox/health', () => ({ ok: true, service: 'mail', smtp: smtp.url() }));
  app.get('/__sandbox/messages', (request) => ({
    messages: newestMessages(mailbox, queryText(request, 'to')).map(toJson),
  }));
  app.get('/__sandbox/messages/:id/html', (request, reply) => {
    const message = findMessage(mailbox, request.params);
    if (message === undefined || message.html === null) return reply.code(404).send();
    // A mail may carry any HTML, but its scripts and requests are blocked.
    return reply
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .type('text/html; charset=utf-8')
      .send(message.html);
  });
  app.get('/__sandbox/messages/:id/raw', (request, reply) => {
    const message = findMessage(mailbox, request.params);
    if (message === undefined) return reply.code(404).send();
    return reply.type('text/plain; charset=utf-8').send(message.raw);
  });

  app.get('/__sandbox/faults', () => ({ faults: mailbox.faults.list() }));
  app.post('/__sandbox/faults', (request) => {
    const fault = controlBody(request, faultBody);
    mailbox.faults.add({ ...fault, times: fault.times ?? 1 });
    return { faults: mailbox.faults.list() };
  });
  app.post('/__sandbox/reset', () => {
    mailbox.faults.clear();
    return { ok: true };
  });
}

function findMessage(mailbox: Mailbox, params: unknown): Message | undefined {
  return messageOf(mailbox, Number(idParams(params, 'params').id) || 0);
}

function toJson({ id, at, recipient, sender, subject, text, html }: Message) {
  return { id, at, to: recipient, from: sender, subject, text, html };
}

function inbox(messages: readonly Message[], to: string | undefined): string {
  return inboxPage({
    title: 'Sandbox mail',
    lead: 'Every mail this test server has taken, newest first. None of them left this machine.',
    to,
    entries: messages.map(({ id, at, recipient, sender, subject, text, html: page }) => ({
      at,
      to: recipient,
      from: sender,
      subject,
      text,
      more: html`${page !== null && html`<a href="/__sandbox/messages/${id}/html">As a page</a> `}<a href="/__sandbox/messages/${id}/raw">As it was sent</a>`,
    })),
  });
}
