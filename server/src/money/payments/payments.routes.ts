import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { log } from '../../platform/log.ts';
import type { ParsedWebhook, PaymentProvider, RawWebhook } from '../psp/psp.ts';
import { processWebhookJob } from './payments.jobs.ts';
import { insertInbox, updateProcessed } from './payments.queries.ts';
import type { PaymentsContext } from './payments.ts';
import { Subject } from './webhook-subject.ts';

/**
 * Verifies the signature over the raw bytes, stores the event, queues a job and answers. A webhook
 * is acknowledged only after the commit, so it is never lost. The job interprets the event.
 */
export function registerWebhookRoutes(app: FastifyInstance, context: PaymentsContext): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    // One route for all, because merchant accounts are added while the shop runs.
    scope.post<{ Params: { name: string } }>('/webhooks/:name', async (request, reply) => {
      const { body, headers, params } = request;
      const known = (await context.providers()).get(params.name);
      const provider = known ?? (await context.providers('again')).get(params.name);
      if (provider === undefined) return reply.callNotFound();
      const isReceived =
        Buffer.isBuffer(body) &&
        (await receive(context, provider, {
          body,
          headers: chosen(headers, provider.signedHeaders),
          receivedAt: new Date(),
        }));
      const { received, refused } = provider.webhookAnswers;
      const answer = isReceived ? received : refused;
      return reply.status(answer.status).type(answer.contentType).send(answer.body);
    });
    done();
  });
}

function chosen(
  headers: FastifyRequest['headers'],
  names: readonly string[],
): RawWebhook['headers'] {
  const found = names.map((name) => [name, headers[name]] as const); // as: otherwise an array
  return Object.fromEntries(found.filter(isOnce));
}

function isOnce(header: readonly [string, unknown]): header is readonly [string, string] {
  return typeof header[1] === 'string';
}

/** A merchant account may have got a new key that this process has not heard of yet. */
async function parseSigned(
  { providers }: PaymentsContext,
  provider: PaymentProvider,
  raw: RawWebhook,
): Promise<ParsedWebhook> {
  const parsed = await provider.parseWebhook(raw);
  if (parsed.ok || parsed.reason !== 'bad_signature') return parsed;
  const now = (await providers('again')).get(provider.name);
  return now === undefined || now === provider ? parsed : await now.parseWebhook(raw);
}

async function receive(
  context: PaymentsContext,
  provider: PaymentProvider,
  raw: RawWebhook,
): Promise<boolean> {
  const { name: psp } = provider;
  const parsed = await parseSigned(context, provider, raw);
  if (!parsed.ok) {
    log.warn({ psp, reason: parsed.reason }, 'refused a webhook');
    return false;
  }
  const { body: rawBody } = raw;
  const signature = JSON.stringify(raw.headers);
  await context.db.transaction(async (tx) => {
    for (const { eventId, subject: found } of parsed.events) {
      const subject = found === null ? null : z.encode(Subject, found);
      const isNew = await insertInbox(tx, { psp, eventId, rawBody, signature, subject });
      if (!isNew) continue;
      if (subject === null) await updateProcessed(tx, { psp, eventId, outcome: 'ignored' });
      else
        await context.jobs.enqueue(
          tx,
          processWebhookJob,
          { psp, eventId, subject },
          { group: psp },
        );
    }
  });
  return true;
}
