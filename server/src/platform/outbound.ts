import type { IncomingMessage } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { connect, rootCertificates } from 'node:tls';
import { isInTransaction } from './db.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** For replies that are known to be large; one megabyte is enough for all others. */
  replyBytesMax?: number;
  /** The real host, if a sandbox stands in for the named one. */
  route?: Route | undefined;
}

/**
 * A sandbox host in place of a fixed host name; it has to present a TLS certificate for that name.
 */
export interface Route {
  host: string;
  port: number;
  /** The only certificate authority that is accepted for it. */
  rootCertificate: string;
}

export interface OutboundReply {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

const usualBytesMax = 1024 * 1024;

/** No reply, or one that was not accepted. The request may have been executed nevertheless. */
export class OutboundFailure extends Error {
  /** Whether the connection was refused, so that the request was certainly not executed. */
  get wasNeverSent(): boolean {
    return isRefusedConnection(this.cause);
  }
}

/** fetch wraps the cause, and several addresses of a name fail as an AggregateError. */
function isRefusedConnection(error: unknown): boolean {
  if (error instanceof AggregateError) {
    return error.errors.length > 0 && error.errors.every(isRefusedConnection);
  }
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') {
    return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(error.code);
  }
  return isRefusedConnection(error.cause);
}

/**
 * The only way to make outbound calls. Limits time and size, follows no redirect, and refuses to
 * run inside a transaction, because a slow server must not prolong our locks.
 */
export async function callOut(request: OutboundRequest): Promise<OutboundReply> {
  if (isInTransaction()) throw new Error(`called ${request.url} inside a transaction`);
  try {
    return await exchange(request);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new OutboundFailure(`${request.method} ${request.url}: ${cause}`, { cause: error });
  }
}

/** The accepted certificate authorities. */
export function rootsFor(route: Route | undefined): readonly string[] {
  return route === undefined ? rootCertificates : [route.rootCertificate];
}

async function exchange(request: OutboundRequest): Promise<OutboundReply> {
  if (request.route !== undefined) return await exchangeAt(request.route, request);
  const reply = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    redirect: 'error',
    signal: AbortSignal.timeout(request.timeoutMs),
  });
  const body = await readLimited(reply.body ?? [], request);
  return { status: reply.status, headers: reply.headers, body };
}

/** The same over a connection to the stand-in host, because fetch cannot override the host. */
async function exchangeAt(route: Route, request: OutboundRequest): Promise<OutboundReply> {
  const { host, port, rootCertificate: ca } = route;
  const { hostname: servername } = new URL(request.url);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = requestOverTls(request.url, {
      method: request.method,
      headers: request.headers,
      signal: AbortSignal.timeout(request.timeoutMs),
      createConnection: () => connect({ host, port, servername, ca }),
    });
    sent.once('response', resolve).once('error', reject).end(request.body);
  });
  const status = reply.statusCode ?? 0;
  if (status >= 300 && status < 400) throw new Error('the reply is a redirect');
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value));
  return { status, headers, body: await readLimited(reply, request) };
}

async function readLimited(
  reply: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { replyBytesMax = usualBytesMax }: OutboundRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply) {
    size += chunk.byteLength;
    if (size > replyBytesMax) throw new Error(`a reply of more than ${replyBytesMax} bytes`);
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}
