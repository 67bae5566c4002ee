import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeFault } from '../platform/fault-plan.ts';
import { interfere } from '../platform/interference.ts';
import { bodyText, cut } from '../platform/requests.ts';
import { authorize } from './authorization.ts';
import { invalid, StripeFailure, serverError } from './failure.ts';
import { decodeForm, type Form } from './form.ts';
import { findReply, fingerprintOf, keyInUse, type StoredReply, storeReply } from './idempotency.ts';
import { newId } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Asker } from './payments.ts';
import type { Fault, Provider } from './provider.ts';

/** `origin` is the base URL of the request, for URLs in the answer. */
export type Call = { id: string; form: Form; asker: Asker; origin: string };

export type Answer = ReturnType<typeof createAnswer>;

/** Sends another answer than the object that the work returns. */
type Present = (reply: FastifyReply) => FastifyReply;

type Keyed = { key: string; fingerprint: string };

/**
 * Handles one API call: authentication, the planned fault if any, the stored reply of the
 * idempotency key, and otherwise the work, in one transaction with its stored reply.
 */
export function createAnswer(provider: Provider) {
  const keysInFlight = new Set<string>();

  return async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (call: Call) => WireObject,
    present?: Present,
  ): Promise<FastifyReply> {
    const requestId = newId('req_');
    reply.header('request-id', requestId).header('stripe-version', '2026-10-28.endive');
    try {
      countRequest(provider, request);
      authorize(provider, request);
      const keyed = readKey(request);
      const input = { request, reply, requestId, keyed, work, present };
      if (keyed === undefined) return await perform(input);

      reply.header('idempotency-key', keyed.key);
      if (keysInFlight.has(keyed.key)) throw keyInUse(keyed.key);
      keysInFlight.add(keyed.key);
      try {
        return await perform(input);
      } finally {
        keysInFlight.delete(keyed.key);
      }
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      return reply.code(error.status).send(error.body);
    }
  };

  async function perform(input: {
    request: FastifyRequest;
    reply: FastifyReply;
    requestId: string;
    keyed: Keyed | undefined;
    work: (call: Call) => WireObject;
    present: Present | undefined;
  }): Promise<FastifyReply> {
    const { request, reply, requestId, keyed, work, present } = input;
    const fault = takeFault(provider, request);
    // Faults with a 500 are stored for the idempotency key, so they are applied in settle.
    if (await interfere(provider, { request, reply, fault }, {})) return reply;

    const earlier = keyed === undefined ? undefined : findReply(provider, keyed);
    const stored = earlier ?? settle(provider, { request, requestId, keyed, fault, work });
    if (fault?.kind === 'cut_after_commit') {
      cut(request, reply);
      return reply;
    }
    if (fault !== undefined && isServerError(fault)) return sendServerError(reply);
    if (earlier !== undefined) {
      reply.header('idempotent-replayed', 'true').header('original-request', earlier.requestId);
    }
    // A retry would only replay the stored 500.
    if (stored.status >= 500) reply.header('stripe-should-retry', 'false');
    if (stored.status === 200 && present !== undefined) return present(reply);
    return reply.code(stored.status).type('application/json; charset=utf-8').send(stored.body);
  }
}

/** Does the work and stores the reply for the key. On an error only the reply is stored. */
function settle(
  provider: Provider,
  input: {
    request: FastifyRequest;
    requestId: string;
    keyed: Keyed | undefined;
    fault: Fault | undefined;
    work: (call: Call) => WireObject;
  },
): StoredReply {
  const { requestId, keyed, fault } = input;
  const keep = (reply: StoredReply): StoredReply => {
    if (keyed !== undefined) storeReply(provider, { ...keyed, reply });
    return reply;
  };
  const broken: StoredReply = { requestId, status: 500, body: JSON.stringify(serverError) };
  if (fault?.kind === 'http500_before') {
    return fault.stored === false ? broken : provider.db.transaction(() => keep(broken));
  }

  const call: Call = {
    id: readId(input.request),
    form: readForm(input.request),
    asker: { id: requestId, idempotencyKey: keyed?.key ?? null },
    origin: `http://${input.request.host}`,
  };
  try {
    return provider.db.transaction(() => {
      const body = JSON.stringify(input.work(call), null, 2);
      const isKeptAsBroken = fault?.kind === 'http500_after_commit' && fault.stored !== false;
      return keep(isKeptAsBroken ? broken : { requestId, status: 200, body });
    });
  } catch (error) {
    if (!(error instanceof StripeFailure) || !error.isStored) throw error;
    const body = JSON.stringify(error.body);
    return provider.db.transaction(() => keep({ requestId, status: error.status, body }));
  }
}

function isServerError(fault: Fault): boolean {
  return fault.kind === 'http500_before' || fault.kind === 'http500_after_commit';
}

function sendServerError(reply: FastifyReply): FastifyReply {
  return reply.code(500).header('stripe-should-retry', 'false').send(serverError);
}

function readKey(request: FastifyRequest): Keyed | undefined {
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || typeof key !== 'string' || key === '') return undefined;
  if (key.length > 255) {
    throw invalid('Idempotency keys have at most 255 characters.', 'Idempotency-Key');
  }
  const fingerprint = fingerprintOf({
    method: request.method,
    path: request.url,
    body: bodyText(request),
  });
  return { key, fingerprint };
}

function readForm(request: FastifyRequest): Form {
  const encoded =
    request.method === 'GET' ? (request.url.split('?', 2)[1] ?? '') : bodyText(request);
  try {
    return decodeForm(encoded);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'Invalid request body', 'body');
  }
}

function readId(request: FastifyRequest): string {
  const { params } = request;
  if (typeof params !== 'object' || params === null || !('id' in params)) return '';
  return typeof params.id === 'string' ? params.id : '';
}

function countRequest(provider: Provider, request: FastifyRequest): void {
  const key = request.headers['idempotency-key'];
  provider.db.run(
    'insert into requests (at, method, path, idempotency_key) values (?, ?, ?, ?)',
    new Date().toISOString(),
    request.method,
    request.url,
    typeof key === 'string' ? key : null,
  );
}
