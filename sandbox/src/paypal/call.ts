import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeFault } from '../platform/fault-plan.ts';
import { interfere } from '../platform/interference.ts';
import { bodyText, cut } from '../platform/requests.ts';
import { isRecord, object, text, whole } from '../platform/shape.ts';
import { requireToken } from './authorization.ts';
import {
  inProgress,
  invalid,
  PaypalFailure,
  serverError,
  tooMany,
  unprocessable,
} from './failure.ts';
import { newDebugId } from './ids.ts';
import type { Fault, Provider } from './provider.ts';

export type WireObject = Record<string, unknown>;

type Call = {
  id: string;
  /** The parsed body; throws if it is not JSON. */
  json: () => unknown;
  query: URLSearchParams;
  /** Whether the request prefers the full representation. */
  wantsAll: boolean;
};

type Work = (call: Call) => WireObject;
type Keyed = { key: string; fingerprint: string; keptSeconds: number };

const hour = 3600;

/**
 * Handles one API call: authentication, the planned fault if any, the replay of a known request id,
 * and otherwise the work, in one transaction with its stored answer.
 */
export function createAnswer(provider: Provider) {
  const keysInFlight = new Set<string>();

  return async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: Work,
    options: { status?: number; isOpenToAll?: boolean } = {},
  ): Promise<FastifyReply> {
    reply.header('paypal-debug-id', newDebugId());
    const keyed = readKey(request);
    try {
      countRequest(provider, request);
      if (options.isOpenToAll !== true) requireToken(provider, request);
      if (keyed !== undefined && keysInFlight.has(keyed.key)) throw inProgress();
      if (keyed !== undefined) keysInFlight.add(keyed.key);
      try {
        return await perform({ request, reply, keyed, work, status: options.status ?? 200 });
      } finally {
        if (keyed !== undefined) keysInFlight.delete(keyed.key);
      }
    } catch (error) {
      if (!(error instanceof PaypalFailure)) throw error;
      return sendJson(reply, error.status, JSON.stringify(error.body));
    }
  };

  async function perform(input: {
    request: FastifyRequest;
    reply: FastifyReply;
    keyed: Keyed | undefined;
    work: Work;
    status: number;
  }): Promise<FastifyReply> {
    const { request, reply, keyed, work } = input;
    const fault = takeFault(provider, request);
    if (await isStopped(provider, { request, reply, fault })) return reply;

    const earlier = keyed === undefined ? undefined : findReply(provider, keyed);
    const body = earlier ?? doWork(provider, { request, keyed, work });
    if (fault !== undefined) return failAfter(request, reply, fault, body);
    // A replay is answered with 200 instead of 201, because nothing was created.
    return sendJson(reply, earlier === undefined ? input.status : 200, body);
  }
}

/** Applies a fault planned for before the work; true when the request is already answered. */
function isStopped(
  provider: Provider,
  call: { request: FastifyRequest; reply: FastifyReply; fault: Fault | undefined },
): Promise<boolean> {
  const { reply } = call;
  return interfere(provider, call, {
    http500_before: () => sendJson(reply, 500, JSON.stringify(serverError())),
    http503_before: () => reply.code(503).type('text/html').send('<h1>Service Unavailable</h1>'),
    http429: () => {
      throw tooMany();
    },
  });
}

/** Rolls back the work on an error, unless the error says otherwise. */
function doWork(
  provider: Provider,
  { request, keyed, work }: { request: FastifyRequest; keyed: Keyed | undefined; work: Work },
): string {
  const done = provider.db.transaction(() => {
    try {
      const body = JSON.stringify(work(readCall(request)));
      if (keyed !== undefined) storeReply(provider, keyed, body);
      return body;
    } catch (error) {
      if (error instanceof PaypalFailure && error.isKept) return error;
      throw error;
    }
  });
  if (done instanceof PaypalFailure) throw done;
  return done;
}

/** Answers with the planned fault after the work was committed. */
function failAfter(
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Fault,
  body: string,
): FastifyReply {
  switch (fault.kind) {
    case 'http500_after_commit':
      return sendJson(reply, 500, JSON.stringify(serverError()));
    case 'cut_after_commit':
      cut(request, reply);
      return reply;
    case 'truncated':
      return sendJson(reply, 200, body.slice(0, Math.floor(body.length / 2)));
    case 'empty200':
      return sendJson(reply, 200, '');
    case 'html200':
      return reply.code(200).type('text/html').send('<h1>Please sign in to the network</h1>');
    case 'empty_object':
      return sendJson(reply, 200, '{}');
    case 'altered':
      return sendJson(reply, 200, altered(body, fault.changes ?? {}));
    default:
      return sendJson(reply, 200, body);
  }
}

/**
 * Replaces fields at paths such as `purchase_units.0.amount.value`; undefined removes the field.
 */
function altered(body: string, changes: Record<string, unknown>): string {
  const whole: unknown = JSON.parse(body);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let parent: unknown = whole;
    for (const key of keys) parent = Object(parent)[key];
    if (!isRecord(parent) && !Array.isArray(parent))
      throw new Error(`the answer has no field ${path}`);
    Object.assign(parent, { [last]: value });
  }
  return JSON.stringify(whole);
}

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('application/json;charset=UTF-8').send(body);
}

function readCall(request: FastifyRequest): Call {
  const { id = '' } = isRecord(request.params) ? request.params : {};
  return {
    id: typeof id === 'string' ? id : '',
    json: () => readBody(request),
    query: new URLSearchParams(request.url.split('?', 2)[1] ?? ''),
    wantsAll: request.headers.prefer === 'return=representation',
  };
}

function readBody(request: FastifyRequest): unknown {
  const sent = bodyText(request);
  if (sent === '') return {};
  try {
    return JSON.parse(sent);
  } catch {
    throw invalid('/', 'MALFORMED_REQUEST_JSON');
  }
}

/** Request ids are kept per path: six hours for orders, 45 days for payments. */
function readKey(request: FastifyRequest): Keyed | undefined {
  const sent = request.headers['paypal-request-id'];
  if (request.method !== 'POST' || typeof sent !== 'string' || sent === '') return undefined;
  const isOrder = request.url.startsWith('/v2/checkout/');
  return {
    key: `${request.url} ${sent}`,
    fingerprint: createHash('sha256').update(bodyText(request)).digest('hex'),
    keptSeconds: isOrder ? 6 * hour : 45 * 24 * hour,
  };
}

const keyRow = object({ key: text, created: whole, fingerprint: text, body: text });

function findReply(provider: Provider, keyed: Keyed): string | undefined {
  const row = provider.db.one(keyRow, 'select * from request_ids where key = ?', keyed.key);
  if (row === undefined) return undefined;
  if (row.created <= provider.clock.nowSeconds() - keyed.keptSeconds) return undefined;
  if (row.fingerprint !== keyed.fingerprint) {
    throw unprocessable(
      'DUPLICATE_REQUEST_ID',
      'The value of PayPal-Request-Id header has already been used. Please specify a different value and try the request again.',
    );
  }
  return row.body;
}

function storeReply(provider: Provider, { key, fingerprint }: Keyed, body: string): void {
  provider.db.run(
    'insert or replace into request_ids (key, created, fingerprint, body) values (?, ?, ?, ?)',
    key,
    provider.clock.nowSeconds(),
    fingerprint,
    body,
  );
}

function countRequest(provider: Provider, request: FastifyRequest): void {
  const id = request.headers['paypal-request-id'];
  provider.db.run(
    'insert into requests (at, method, path, request_id) values (?, ?, ?, ?)',
    new Date().toISOString(),
    request.method,
    request.url,
    typeof id === 'string' ? id : null,
  );
}
