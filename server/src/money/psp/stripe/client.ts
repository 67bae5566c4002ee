import Stripe from 'stripe';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';

export interface StripeOptions {
  secretKey: string;
  /** Two while a secret is being rotated. */
  webhookSecrets: readonly string[];
  /** Another address than Stripe's own, for the sandbox. */
  apiBase?: string | undefined;
}

// The SDK tries twice, and both have to fit into the half minute a call of ours may take.
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
  /** Only a refusal that Stripe itself spelled out is final; all else may have happened. */
  isFinal: boolean;
  /** Stripe does not take our key, or not for this. */
  isKeyRefused: boolean;
  code: string;
  status: number;
  /** The parameter that was refused. */
  param: string | undefined;
}

export function failureOf(error: unknown): Failure {
  // Whatever stopped a request before it left is a bug of ours, not the provider's silence.
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
    // 409 is our own twin that is still being answered.
    const isFinal = isRefusal && status >= 400 && status < 500 && status !== 409;
    const code = error.code ?? error.type;
    return { isFinal, isKeyRefused, code, status, param: error.param };
  }
  throw error;
}

/** The SDK's requests leave through the same door as all others, with its limits. */
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
