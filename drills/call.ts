import type { Endpoint, ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { Envelope } from '@pointgate/contract/envelope.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import * as z from 'zod/mini';

/**
 * The outcome of a call. Without a clear answer the caller does not know whether it had an effect.
 */
export type Outcome<E extends Endpoint> =
  | { kind: 'done'; reply: ReplyOf<E>; text: string }
  | { kind: 'refused'; code: ErrorCode; text: string }
  | { kind: 'unclear'; why: string };

export interface Call<E extends Endpoint> {
  api: string;
  endpoint: E;
  body: z.input<E['body']>;
  cookie?: string | undefined;
}

const timeoutMs = 15_000;

/** Refusals that do not tell whether the call had an effect: it has to be repeated. */
const unclearCodes: readonly (ErrorCode | null)[] = [
  'InternalError',
  'SystemBusy',
  'GameUnavailable',
  'PaymentUnconfirmed',
];

/** Sends a call as a browser on the shop's page does. */
export async function call<E extends Endpoint>(order: Call<E>): Promise<Outcome<E>> {
  const answer = await post(order).catch((error: Error) => lostBecause(error));
  if (typeof answer === 'string') return { kind: 'unclear', why: answer };
  const { text, envelope } = answer;
  if (envelope.isSuccess) {
    const reply = order.endpoint.reply.parse(envelope.data) as ReplyOf<E>; // as: generic parse
    return { kind: 'done', reply, text };
  }
  const { code } = envelope;
  if (code === null || unclearCodes.includes(code)) return { kind: 'unclear', why: `${code}` };
  return { kind: 'refused', code, text };
}

export async function post<E extends Endpoint>({ api, endpoint, body, cookie }: Call<E>) {
  const isPost = endpoint.method === 'POST';
  const response = await fetch(api + endpoint.path, {
    method: endpoint.method,
    headers: {
      version: 'drill',
      'sec-fetch-site': 'same-origin',
      ...(isPost ? { 'content-type': 'application/json' } : {}),
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(isPost ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const [setCookie] = response.headers.getSetCookie();
  return {
    text,
    envelope: EnvelopeShape.parse(JSON.parse(text)) as Envelope, // as: codes are checked by their use
    cookie: setCookie?.split(';', 1)[0],
    httpStatus: response.status,
  };
}

const EnvelopeShape = z.object({
  isSuccess: z.boolean(),
  data: z.unknown(),
  msg: z.string(),
  code: z.nullable(z.string()),
  status: z.number(),
});

/** A connection that broke, was refused or timed out; any other error is a bug of the drill. */
function lostBecause(error: Error): string {
  if (error.name === 'TimeoutError') return error.name;
  // The message of fetch for a body that ends early.
  if (error instanceof TypeError && error.message === 'terminated') return error.message;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  if (!/^(ECONN|EPIPE|UND_ERR|HPE_)/.test(code)) throw error;
  return code;
}
