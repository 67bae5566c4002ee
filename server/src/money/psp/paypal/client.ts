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

export interface PaypalOptions {
  clientId: string;
  clientSecret: string;
  /** PayPal's own sandbox is another world with its own host names. */
  environment: 'production' | 'sandbox';
  /** What our webhook is called there; two while it is being moved. */
  webhookIds: readonly string[];
  /** Messages about any other merchant's money are not ours, where this is set. */
  merchantId?: string | undefined;
  /** What stands in for PayPal. The SDK cannot be told another address. */
  route?: Route | undefined;
}

export const timeoutMs = 12_000;

/** `refused` was spelled out by PayPal itself; all else that is not an answer may have happened. */
export type Reply =
  | { outcome: 'ok'; value: unknown }
  | { outcome: 'refused'; status: number; issue: string }
  | { outcome: 'unknown'; cause: string };

interface Sdk {
  orders: OrdersController;
  payments: PaymentsController;
  transactions: TransactionSearchController;
  /** For what the SDK has no words for. */
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
    // A token that could not be had makes the SDK fail for ever, and one that was withdrawn is used
    // until its time is over: whoever is in doubt begins again.
    const isDoubtful = reply.outcome === 'unknown' || isAboutTokens(reply);
    if (isDoubtful && sdk === current) sdk = openSdk(options);
    return reply;
  }

  return {
    ask: async (question) => {
      const reply = await askOnce(question);
      // Nothing was done for a token that is no longer good.
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
    // The SDK's requests leave through the same door as all others, with its limits.
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

/** Those that have a value; the SDK names others too. */
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
      ...{ url, method, headers, timeoutMs, route },
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
    const value = jsonOf(body);
    return value === undefined ? unreadable(statusCode) : { outcome: 'ok', value };
  } catch (error) {
    if (error instanceof OutboundFailure) return { outcome: 'unknown', cause: error.message };
    if (error instanceof ApiError) return refusalIn(error);
    // The SDK could not make anything of a success.
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

/** Only what has PayPal's own form is its word; a proxy on the way says 404 and 403 too. */
function refusalIn({ statusCode: status, body }: ApiError): Reply {
  const refusal = Refusal.safeParse(jsonOf(body));
  // Above 499 PayPal does not know itself; 409 is our own twin, and 429 is about how often.
  const isFinal = status >= 400 && status < 500 && ![408, 409, 429].includes(status);
  return refusal.success && isFinal
    ? { outcome: 'refused', status, issue: refusal.data }
    : { outcome: 'unknown', cause: `HTTP ${status} ${refusal.success ? refusal.data : ''}`.trim() };
}

function isAboutTokens(reply: Reply): boolean {
  return reply.outcome === 'refused' && reply.status === 401;
}

/** PayPal does not take our name and secret, or what they stand for may not do this. */
export function isKeyRefused(reply: Reply): boolean {
  return reply.outcome === 'refused' && (reply.status === 401 || reply.status === 403);
}

function isStaleToken(reply: Reply): boolean {
  return isAboutTokens(reply) && reply.outcome === 'refused' && reply.issue === 'invalid_token';
}

function jsonOf(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function unreadable(status: number): Reply {
  return { outcome: 'unknown', cause: `an answer that cannot be read, HTTP ${status}` };
}
