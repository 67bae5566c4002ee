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
  /** For what is known to be long; a megabyte is enough for everything else. */
  replyBytesMax?: number;
  /** Where the host is really found, when something stands in for it. */
  route?: Route | undefined;
}

/** A stand-in for a host that cannot be named otherwise: it has to prove the same name over TLS. */
export interface Route {
  host: string;
  port: number;
  /** Who vouches for it, and nobody else. */
  rootCertificate: string;
}

export interface OutboundReply {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

const usualBytesMax = 1024 * 1024;

/** No answer, or none we were willing to read. What we asked for may have happened all the same. */
export class OutboundFailure extends Error {
  /** Nobody was there to take the request: it certainly did not happen. */
  get wasNeverSent(): boolean {
    return isRefusedConnection(this.cause);
  }
}

/** fetch wraps what went wrong, and several addresses of one name go wrong together. */
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
 * The only way out of this process. Limits time and size, follows no redirect, and refuses to run
 * inside a transaction: a slow stranger must never hold our locks.
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

/** Whom we believe when they vouch for somebody. */
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

/** As above, over a connection to the stand-in: fetch knows no way to say where a host is. */
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
  if (status >= 300 && status < 400) throw new Error('a redirect');
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
