import Stripe from 'stripe';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import type { StripeOptions } from './options.ts';

// The SDK tries twice, and both tries have to fit into the 30 seconds of an outgoing call.
export const timeoutMs = 12_000;

export function openClient(options: StripeOptions): Stripe {
  return new Stripe(options.secretKey, {
    ...addressOf(options.apiBase),
    httpClient: Stripe.createFetchHttpClient(limitedFetch),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

export interface Failure {
  /** Only a refusal by Stripe itself is final; after any other failure the request may have been processed. */
  isFinal: boolean;
  /** Stripe refuses the API key, or does not permit it the call. */
  isKeyRefused: boolean;
  code: string;
  status: number;
  /** The parameter that was refused. */
  param: string | undefined;
}

export function failureOf(error: unknown): Failure {
  // An error before the request was sent is a bug of the shop and must not count as unknown.
  if (error instanceof Stripe.errors.StripeConnectionError) {
    if (error.detail instanceof Error && !(error.detail instanceof OutboundFailure)) {
      throw error.detail;
    }
  }
  if (error instanceof Stripe.errors.StripeError) {
    const status = error.statusCode ?? 0;
    const isKeyRefused =
      error instanceof Stripe.errors.StripeAuthenticationError ||
      error instanceof Stripe.errors.StripePermissionError;
    const isRefusal = isKeyRefused || error instanceof Stripe.errors.StripeInvalidRequestError;
    // 409 means that a request with the same idempotency key is in progress.
    const isFinal = isRefusal && status >= 400 && status < 500 && status !== 409;
    const code = error.code ?? error.type;
    return { isFinal, isKeyRefused, code, status, param: error.param };
  }
  throw error;
}

/** Sends the SDK's requests through `callOut`, with the timeouts and limits of all outgoing calls. */
const limitedFetch: typeof fetch = async (input, init) => {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const body = init?.body;
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new Error('a body that is not text');
  }
  const reply = await callOut({
    url: input instanceof Request ? input.url : String(input),
    method: z.enum(['GET', 'POST', 'DELETE']).parse(init?.method ?? 'GET'),
    headers,
    ...(typeof body === 'string' ? { body } : {}),
    timeoutMs,
  });
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
};

function addressOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    ...(port === '' ? {} : { port: Number(port) }),
  };
}
