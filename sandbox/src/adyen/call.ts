import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeFault } from '../platform/fault-plan.ts';
import { interfere } from '../platform/interference.ts';
import { bodyText, cut } from '../platform/requests.ts';
import { object, ShapeError, text, whole } from '../platform/shape.ts';
import { authorize } from './authorization.ts';
import { AdyenFailure, type FailureBody, inProgress, internalError, invalid } from './failure.ts';
import type { Fault, Provider } from './provider.ts';

type Work = (body: unknown) => { status: 200 | 201; body: object };
type Settled = { status: number; body: string };

/** The minimum lifetime of an idempotency key, by the sandbox clock. */
const keptSeconds = 7 * 24 * 3600;
const keyLengthMax = 64;

/**
 * Handles one API call: authentication, the planned fault if any, and the work in one transaction.
 * A repeated idempotency key replays its first answer, whatever the body.
 */
export function createAnswer(provider: Provider) {
  return async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: Work,
  ): Promise<FastifyReply> {
    countRequest(provider, request);
    const key = keyOf(request);
    if (key !== undefined && provider.busyKeys.has(key)) return send(reply, failed(inProgress));
    if (key !== undefined) provider.busyKeys.add(key);
    try {
      const fault = takeFault(provider, request);
      if (await isStopped(provider, { request, reply, fault })) return reply;
      const settled = settle(provider, { request, key, work });
      return present({ request, reply, fault, settled });
    } finally {
      if (key !== undefined) provider.busyKeys.delete(key);
    }
  };
}

/** Applies a fault planned for before the work; true when the request is already answered. */
function isStopped(
  provider: Provider,
  call: { request: FastifyRequest; reply: FastifyReply; fault: Fault | undefined },
): Promise<boolean> {
  const { reply } = call;
  return interfere(provider, call, {
    http500_before: () => send(reply, failed(internalError)),
    too_many: () => reply.code(429).header('retry-after', '1').send(),
    in_progress: () => send(reply.header('transient-error', 'true'), failed(inProgress)),
  });
}

function settle(
  provider: Provider,
  { request, key, work }: { request: FastifyRequest; key: string | undefined; work: Work },
): Settled {
  try {
    return provider.db.transaction(() => {
      authorize(provider, request);
      const path = `${request.method} ${request.url}`;
      const earlier = key === undefined ? undefined : findReply(provider, key, path);
      if (earlier !== undefined) return earlier;
      const { status, body } = work(readBody(request));
      const settled = { status, body: JSON.stringify(body) };
      if (key !== undefined) storeReply(provider, key, { path, ...settled });
      return settled;
    });
  } catch (error) {
    const failure = error instanceof ShapeError ? invalid('702', error.message) : error;
    if (!(failure instanceof AdyenFailure)) throw failure;
    return failed(failure.body);
  }
}

/** Sends the result of the work, or what the planned fault turns it into. */
function present(input: {
  request: FastifyRequest;
  reply: FastifyReply;
  fault: Fault | undefined;
  settled: Settled;
}): FastifyReply {
  const { request, reply, fault, settled } = input;
  switch (fault?.kind) {
    case 'http500_after_commit':
      return send(reply, failed(internalError));
    case 'cut_after_commit':
      cut(request, reply);
      return reply;
    case 'truncated':
      return send(reply, { ...settled, body: settled.body.slice(0, settled.body.length / 2) });
    case 'empty_200':
      return send(reply, { status: 200, body: '' });
    case 'html_200':
      return reply.code(200).type('text/html').send('<html><body>Maintenance</body></html>');
    case 'other_answer':
      return send(reply, { status: fault.status ?? 200, body: fault.body ?? '{}' });
    default:
      return send(reply, settled);
  }
}

function send(reply: FastifyReply, { status, body }: Settled): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

function failed(body: FailureBody): Settled {
  return { status: body.status, body: JSON.stringify(body) };
}

function keyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers['idempotency-key'];
  if (request.method === 'GET' || typeof sent !== 'string' || sent === '') return undefined;
  return sent.slice(0, keyLengthMax);
}

const replyRow = object({ path: text, status: whole, body: text });

/** The stored answer of this key. Adyen does not compare the request bodies. */
function findReply(provider: Provider, key: string, path: string): Settled | undefined {
  const row = provider.db.one(
    replyRow,
    'select path, status, body from idempotency_keys where key = ? and created > ?',
    key,
    provider.clock.nowSeconds() - keptSeconds,
  );
  if (row === undefined) return undefined;
  if (row.path !== path) throw invalid('704', inProgress.message);
  return { status: row.status, body: row.body };
}

/** Runs in the transaction of the work, so that no work is committed without its stored reply. */
function storeReply(
  provider: Provider,
  key: string,
  reply: { path: string; status: number; body: string },
): void {
  provider.db.run(
    'insert or replace into idempotency_keys (key, created, path, status, body) values (?, ?, ?, ?, ?)',
    ...[key, provider.clock.nowSeconds(), reply.path, reply.status, reply.body],
  );
}

function readBody(request: FastifyRequest): unknown {
  if (request.method === 'GET') return {};
  try {
    return JSON.parse(bodyText(request));
  } catch {
    throw new AdyenFailure({
      status: 400,
      errorCode: '702',
      message: 'Invalid JSON payload received',
      errorType: 'validation',
    });
  }
}

function countRequest(provider: Provider, request: FastifyRequest): void {
  provider.db.run(
    'insert into requests (at, method, path) values (?, ?, ?)',
    new Date().toISOString(),
    request.method,
    request.url,
  );
}
