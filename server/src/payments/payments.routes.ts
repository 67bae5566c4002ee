import type { FastifyInstance } from 'fastify';
import { log } from '../platform/log.ts';
import { processWebhookJob } from './payments.jobs.ts';
import { insertInbox, updateProcessed } from './payments.queries.ts';
import type { PaymentsContext } from './payments.ts';

/**
 * Verify over the raw bytes, store, queue, answer: a provider hears "received" only after the
 * commit, so what it told us is never lost. What the event means is found out by a job.
 */
export function registerWebhookRoutes(app: FastifyInstance, context: PaymentsContext): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.post('/webhooks/stripe', async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const { body } = request;
      if (!Buffer.isBuffer(body) || typeof signature !== 'string') {
        return reply.status(400).send({ received: false });
      }
      const isReceived = await receive(context, { psp: 'stripe', body, signature });
      return reply.status(isReceived ? 200 : 400).send({ received: isReceived });
    });
    done();
  });
}

async function receive(
  context: PaymentsContext,
  { psp, body, signature }: { psp: string; body: Buffer; signature: string },
): Promise<boolean> {
  const provider = context.providers.get(psp);
  if (provider === undefined) return false;
  const parsed = provider.parseWebhook({ body, signature });
  if (!parsed.ok) {
    log.warn({ psp, reason: parsed.reason }, 'refused a webhook');
    return false;
  }
  const { eventId, subject } = parsed;
  await context.db.transaction(async (tx) => {
    const isNew = await insertInbox(tx, { psp, eventId, rawBody: body, signature, subject });
    if (!isNew) return;
    if (subject === null) await updateProcessed(tx, { psp, eventId, outcome: 'ignored' });
    else await context.jobs.enqueue(tx, processWebhookJob, { psp, eventId, subject });
  });
  return true;
}
