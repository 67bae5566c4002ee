import {
  addressOf,
  type BodyOf,
  type Endpoint,
  type ReplyOf,
} from '@pointgate/contract/endpoint.ts';
import type { Envelope } from '@pointgate/contract/envelope.ts';
import * as z from 'zod/mini';
import { version } from '../../../package.json';
import { ApiError, unexplained } from './api-error.ts';
import { emitSessionEvent } from './session-events.ts';

export const timeoutMs = 60_000;

/** Hints for the log of the server; the player is identified by the session alone. */
interface Caller {
  /** API base; empty for the same origin. */
  cgi: string;
  hversion: string;
  accountId: string;
  gameId: string;
  userId: string;
  locale: string;
}

const caller: Caller = { cgi: '', hversion: '', accountId: '', gameId: '', userId: '', locale: '' };

/** Sets the caller of later requests; omitted fields stay unchanged. */
export function identifyCaller(known: Partial<Caller>): void {
  Object.assign(caller, known);
}

/** Calls the server. Rejects only with `ApiError`. */
export async function call<E extends Endpoint>(
  endpoint: E,
  body: BodyOf<E>,
  /** Added to the headers of every call. */
  moreHeaders: Record<string, string> = {},
  /** Path and query parameters, for endpoints that have any. */
  address: Record<string, string> = {},
): Promise<ReplyOf<E>> {
  const url = caller.cgi + addressOf(endpoint, address);
  const { status, envelope } = await send(endpoint, body, { url, moreHeaders });
  const { code, msg, data } = envelope ?? {};

  // 203 is a 2xx, and some webviews hide the status from scripts: the body repeats it.
  if (status === 203 || envelope?.status === 203) {
    emitSessionEvent('expired');
    throw new ApiError({ status: 203, code: 'InvalidToken', message: msg || 'illegal token' });
  }
  if (status !== 200 || envelope === null) {
    const message = msg || 'request error';
    throw new ApiError({ status, code: code ?? unexplained, message, data });
  }
  if (!isAccepted(envelope)) {
    const message = msg || 'unknown error';
    throw new ApiError({ status, code: code ?? unexplained, message, data });
  }
  const reply = z.safeParse<E['reply']>(endpoint.reply, data);
  if (!reply.success) {
    console.error(`The reply of ${endpoint.path} does not match the contract.`, reply.error);
    throw new ApiError({ status, code: unexplained, message: 'unknown error', data });
  }
  return reply.data;
}

type Reply = { status: number; envelope: Partial<Envelope> | null };

async function send<E extends Endpoint>(
  endpoint: E,
  body: BodyOf<E>,
  { url, moreHeaders }: { url: string; moreHeaders: Record<string, string> },
): Promise<Reply> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error(`timeout of ${timeoutMs} ms`)), timeoutMs);
  try {
    const response = await fetch(url, {
      method: endpoint.method,
      headers: { ...headers(), ...moreHeaders },
      credentials: 'same-origin',
      signal: abort.signal,
      ...(endpoint.method === 'POST' && {
        body: JSON.stringify(z.encode<E['body']>(endpoint.body, body)),
      }),
    });
    return { status: response.status, envelope: await readEnvelope(response) };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    throw new ApiError({ status: 500, code: unexplained, message });
  } finally {
    clearTimeout(timer);
  }
}

function headers(): Record<string, string> {
  return {
    'content-type': 'application/json',
    version,
    hversion: caller.hversion,
    accountid: caller.accountId,
    gameid: caller.gameId,
    userid: caller.userId,
    'accept-language': caller.locale || 'en-US',
  };
}

/** `null` if the body is no envelope, such as the error page of a proxy. */
async function readEnvelope(response: Response): Promise<Partial<Envelope> | null> {
  const text = await response.text();
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' ? json : null;
  } catch {
    return null;
  }
}

function isAccepted({ isSuccess, data }: Partial<Envelope>): boolean {
  return isSuccess === true || ((isSuccess ?? null) === null && (data ?? null) !== null);
}
