import {
  ApiError,
  type ApiResponse,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  TransactionSearchController,
} from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import { callOut, OutboundFailure, type Route } from '../../../platform/outbound.ts';
import { jsonOf } from '../replies.ts';
import type { PaypalOptions } from './options.ts';

export const timeoutMs = 12_000;

/** `refused` is a final refusal by PayPal; after `unknown` the request may have been processed. */
export type Reply =
  | { outcome: 'ok'; value: unknown }
  | { outcome: 'refused'; status: number; issue: string }
  | { outcome: 'unknown'; cause: string };

interface Sdk {
  orders: OrdersController;
  payments: PaymentsController;
  transactions: TransactionSearchController;
  /** For endpoints that the SDK does not cover. */
  get(path: string, query?: Record<string, string>): Promise<ApiResponse<string>>;
}

export interface PaypalClient {
  ask(question: (sdk: Sdk) => Promise<ApiResponse<unknown>>): Promise<Reply>;
}

export function openClient(options: PaypalOptions): PaypalClient {
  let sdk = openSdk(options);

  async function askOnce(question: (sdk: Sdk) => Promise<ApiResponse<unknown>>) {
    const current = sdk;
    const reply = await readReply(() => question(current));
    // The SDK fails forever once it could not fetch a token, and keeps a revoked token until it expires.
    // So a doubtful reply replaces the SDK client.
    const isDoubtful = reply.outcome === 'unknown' || isAboutTokens(reply);
    if (isDoubtful && sdk === current) sdk = openSdk(options);
    return reply;
  }

  return {
    ask: async (question) => {
      const reply = await askOnce(question);
      // A call with an invalid token was not processed, so it can be repeated.
      return isStaleToken(reply) ? await askOnce(question) : reply;
    },
  };
}

function openSdk(options: PaypalOptions): Sdk {
  const client = new Client({
    clientCredentialsAuthCredentials: {
      oAuthClientId: options.clientId,
      oAuthClientSecret: options.clientSecret,
    },
    environment:
      options.environment === 'production' ? Environment.Production : Environment.Sandbox,
    timeout: timeoutMs,
    // Sends the SDK's requests through `callOut`, with the limits of all outgoing calls.
    unstable_httpClientOptions: { adapter: adapterFor(options.route) },
  });
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    transactions: new TransactionSearchController(client),
    get: (path, query = {}) => {
      const request = client.getRequestBuilderFactory()('GET', path);
      request.query(query);
      request.authenticate([{ oauth2: true }]);
      return request.callAsText();
    },
  };
}

const Sent = z.object({
  url: z.url(),
  method: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['GET', 'POST'])),
  data: z.string().optional(),
});

/** Drops headers without a value, which the SDK also lists. */
const Headers = z.record(z.string(), z.string().optional()).transform((all) => {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) sent[name] = value;
  return sent;
});

function adapterFor(route: Route | undefined) {
  return async (config: { headers: object }) => {
    const { url, method, data } = Sent.parse(config);
    const headers = Headers.parse({ ...config.headers });
    const reply = await callOut({
      url,
      method,
      headers,
      timeoutMs,
      route,
      ...(data === undefined ? {} : { body: data }),
    });
    return {
      data: new TextDecoder().decode(reply.body),
      status: reply.status,
      statusText: '',
      headers: Object.fromEntries(reply.headers),
      config,
    };
  };
}

async function readReply(ask: () => Promise<ApiResponse<unknown>>): Promise<Reply> {
  try {
    const { body, statusCode } = await ask();
    const value = typeof body === 'string' ? jsonOf(body) : undefined;
    return value === undefined ? unreadable(statusCode) : { outcome: 'ok', value };
  } catch (error) {
    if (error instanceof OutboundFailure) return { outcome: 'unknown', cause: error.message };
    if (error instanceof ApiError) return refusalIn(error);
    // The SDK could not parse a successful answer.
    const isAnswer = error instanceof Error && 'statusCode' in error;
    if (isAnswer) return unreadable(Number(error.statusCode));
    if (error instanceof Error && /parse|JSON/i.test(error.message)) return unreadable(200);
    throw error;
  }
}

const Refusal = z.union([
  z
    .object({
      name: z.string().min(1),
      debug_id: z.string().min(1),
      details: z.array(z.object({ issue: z.string().min(1) })).default([]),
    })
    .transform(({ name, details }) => details[0]?.issue ?? name),
  z.object({ error: z.enum(['invalid_token', 'invalid_client']) }).transform(({ error }) => error),
]);

/** Only an answer in PayPal's error format is a refusal, because proxies also answer 403 and 404. */
function refusalIn({ statusCode: status, body }: ApiError): Reply {
  const refusal = Refusal.safeParse(typeof body === 'string' ? jsonOf(body) : undefined);
  // 5xx is undecided, 409 is a duplicate in progress, and 408 and 429 can be retried.
  const isFinal = status >= 400 && status < 500 && ![408, 409, 429].includes(status);
  return refusal.success && isFinal
    ? { outcome: 'refused', status, issue: refusal.data }
    : { outcome: 'unknown', cause: `HTTP ${status} ${refusal.success ? refusal.data : ''}`.trim() };
}

function isAboutTokens(reply: Reply): boolean {
  return reply.outcome === 'refused' && reply.status === 401;
}

/** Why a call has failed, for the operator. */
export function causeOf(reply: Exclude<Reply, { outcome: 'ok' }>): string {
  return reply.outcome === 'refused' ? reply.issue : reply.cause;
}

/** PayPal refuses the client credentials, or does not permit them the call. */
export function isKeyRefused(reply: Reply): boolean {
  return reply.outcome === 'refused' && (reply.status === 401 || reply.status === 403);
}

function isStaleToken(reply: Reply): boolean {
  return isAboutTokens(reply) && reply.outcome === 'refused' && reply.issue === 'invalid_token';
}

function unreadable(status: number): Reply {
  return { outcome: 'unknown', cause: `an unreadable answer, HTTP ${status}` };
}
