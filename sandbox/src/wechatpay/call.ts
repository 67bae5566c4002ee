import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeFault } from '../platform/fault-plan.ts';
import { interfere } from '../platform/interference.ts';
import { bodyText, cut } from '../platform/requests.ts';
import { ShapeError } from '../platform/shape.ts';
import { authorize } from './authorization.ts';
import { type FailureBody, invalid, refused, systemError, WechatFailure } from './failure.ts';
import type { WireObject } from './objects.ts';
import type { Fault, Provider } from './provider.ts';
import type { NamedKey } from './signature.ts';
import { type Forgery, signatureHeaders, signingKey } from './signature.ts';

type Call = { body: unknown; request: FastifyRequest };

/** `null` is an answer without a body; bytes are a file. */
type Work = (call: Call) => WireObject | Uint8Array | null;

export type Answer = ReturnType<typeof createAnswer>;

/**
 * Handles one API call: authentication, the planned fault if any, and the work in one transaction.
 * A request with a valid signature gets a signed answer, errors included.
 */
export function createAnswer(provider: Provider) {
  return async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: Work,
  ): Promise<FastifyReply> {
    countRequest(provider, request);
    try {
      authorize(provider, request);
    } catch (error) {
      if (!(error instanceof WechatFailure)) throw error;
      return reply.code(error.status).send(error.body);
    }
    const fault = takeFault(provider, request);
    if (await isStopped(provider, { request, reply, fault })) return reply;
    const settled = settle(provider, { request, work });
    return present(provider, { request, reply, fault, settled });
  };
}

type Settled = { status: number; body: string; file?: Uint8Array };

/** Applies a fault planned for before the work; true when the request is already answered. */
function isStopped(
  provider: Provider,
  call: { request: FastifyRequest; reply: FastifyReply; fault: Fault | undefined },
): Promise<boolean> {
  const { request, reply } = call;
  const limited = failed(429, { code: 'FREQUENCY_LIMITED', message: '频率超限' });
  return interfere(provider, call, {
    http500_before: () => reply.code(500).send(systemError),
    frequency_limited: () => sendSigned(provider, { request, reply, settled: limited }),
  });
}

function settle(
  provider: Provider,
  { request, work }: { request: FastifyRequest; work: Work },
): Settled {
  try {
    return provider.db.transaction(() => {
      checkSerial(provider, request);
      const done = work({ body: readBody(request), request });
      if (done === null) return { status: 204, body: '' };
      if (done instanceof Uint8Array) return { status: 200, body: '', file: done };
      return { status: 200, body: JSON.stringify(done) };
    });
  } catch (error) {
    const failure = error instanceof ShapeError ? invalid(error.message, 'shape') : error;
    if (!(failure instanceof WechatFailure)) throw failure;
    return failed(failure.status, failure.body);
  }
}

/** Sends the result of the work, or what the planned fault turns it into. */
function present(
  provider: Provider,
  input: {
    request: FastifyRequest;
    reply: FastifyReply;
    fault: Fault | undefined;
    settled: Settled;
  },
): FastifyReply {
  const { request, reply, fault, settled } = input;
  const send = (changes: Partial<Parameters<typeof sendSigned>[1]> = {}) =>
    sendSigned(provider, { request, reply, settled, ...changes });
  if (settled.file !== undefined) return sendFile(reply, settled.file, fault);
  switch (fault?.kind) {
    case 'http500_after_commit':
      return reply.code(500).send(systemError);
    case 'cut_after_commit':
      cut(request, reply);
      return reply;
    case 'bad_signature':
      return send({ forgery: 'stranger' });
    case 'signtest':
      return send({ forgery: 'signtest' });
    case 'unknown_serial':
      return send({ forgery: 'unknown_serial' });
    case 'stale_signature':
      return send({ offsetSeconds: -3600 });
    case 'future_signature':
      return send({ offsetSeconds: 3600 });
    case 'unsigned':
      return reply.code(settled.status).type('application/json').send(settled.body);
    case 'truncated':
      return send({ sent: settled.body.slice(0, Math.ceil(settled.body.length / 2)) });
    case 'empty_200':
      return send({ settled: { status: 200, body: '' } });
    case 'html_200':
      return reply.code(200).type('text/html').send('<html><body>Maintenance</body></html>');
    case 'other_answer': {
      const other = { status: fault.status ?? 200, body: fault.body ?? '{}' };
      if (fault.isUnsigned !== true) return send({ settled: other });
      return reply.code(other.status).type('application/json').send(other.body);
    }
    default:
      return send();
  }
}

/** A file is not signed; a signed answer has told its hash before. */
function sendFile(reply: FastifyReply, file: Uint8Array, fault: Fault | undefined): FastifyReply {
  if (fault?.kind === 'http500_after_commit') return reply.code(500).send(systemError);
  const sent = fault?.kind === 'truncated' ? file.subarray(0, file.length / 2) : file;
  return reply.code(200).type('application/octet-stream').send(Buffer.from(sent));
}

function sendSigned(
  provider: Provider,
  input: {
    request: FastifyRequest;
    reply: FastifyReply;
    settled: Settled;
    /** The body that is sent in place of the signed one. */
    sent?: string;
    forgery?: Forgery;
    offsetSeconds?: number;
  },
): FastifyReply {
  const { request, reply, settled, sent = settled.body, forgery, offsetSeconds } = input;
  const headers = signatureHeaders(provider, {
    body: settled.body,
    key: keyFor(provider, request),
    ...(forgery === undefined ? {} : { forgery }),
    ...(offsetSeconds === undefined ? {} : { offsetSeconds }),
  });
  reply.code(settled.status).headers(headers);
  // An answer without a body is signed over the empty string.
  if (settled.status === 204) return reply.send();
  return reply.type('application/json; charset=utf-8').send(sent);
}

/** Signs with the provider's public key if the request names its id, else with the certificate. */
function keyFor(provider: Provider, request: FastifyRequest): NamedKey {
  const asked = request.headers['wechatpay-serial'];
  const isPublicKey = asked === provider.settings.publicKey.serial;
  return signingKey(provider, isPublicKey ? 'public_key' : 'certificate');
}

function checkSerial({ settings }: Provider, request: FastifyRequest): void {
  const asked = request.headers['wechatpay-serial'];
  const known = [settings.publicKey.serial, settings.certificate.serial];
  if (asked !== undefined && !known.includes(String(asked))) {
    throw refused('INVALID_REQUEST', 'Http头Wechatpay-Serial中的平台证书序列号或公钥ID有误');
  }
}

function failed(status: number, body: FailureBody): Settled {
  return { status, body: JSON.stringify(body) };
}

function readBody(request: FastifyRequest): unknown {
  const sent = bodyText(request);
  if (request.method === 'GET') return {};
  try {
    return JSON.parse(sent);
  } catch {
    throw invalid('body', 'not JSON');
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
