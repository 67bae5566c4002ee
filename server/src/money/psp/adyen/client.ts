import { EnvironmentEnum } from '@adyen/api-library/lib/src/config.js';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import { jsonOf } from '../replies.ts';
import type { AdyenOptions } from './options.ts';
import { AdyenClient, CheckoutApi } from './sdk.ts';

export const timeoutMs = 12_000;

/**
 * `refused` is a final refusal by Adyen itself; a retry would be refused alike. Every other failure is
 * `unknown`, because the request may have been processed.
 */
type Reply =
  | { outcome: 'ok'; value: unknown }
  | { outcome: 'refused'; code: string }
  | { outcome: 'unknown'; cause: string; isKeyRefused?: boolean };

export interface Client {
  ask(question: (api: CheckoutApi) => Promise<unknown>): Promise<Reply>;
}

export function openClient(options: AdyenOptions): Client {
  const { apiKey, environment, liveUrlPrefix } = options;
  const adyen = new AdyenClient(
    {
      apiKey,
      environment: environment === 'live' ? EnvironmentEnum.LIVE : EnvironmentEnum.TEST,
      ...(liveUrlPrefix === undefined ? {} : { liveEndpointUrlPrefix: liveUrlPrefix }),
    },
    {
      request: async (endpoint, json, _config, _needsKey, more = {}) =>
        await exchange(options, {
          endpoint,
          body: String(json),
          idempotencyKey: more.idempotencyKey ?? '',
        }),
    },
  );
  const api = new CheckoutApi(adyen);
  return {
    ask: async (question) => {
      try {
        return { outcome: 'ok', value: await question(api) };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

/** Sends the SDK's requests through `callOut`, with the timeouts and limits of all outgoing calls. */
async function exchange(
  { apiKey, apiBase }: AdyenOptions,
  asked: { endpoint: string; body: string; idempotencyKey: string },
): Promise<string> {
  const { pathname } = new URL(asked.endpoint);
  const reply = await callOut({
    url: apiBase === undefined ? asked.endpoint : apiBase + pathname,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey,
      'idempotency-key': asked.idempotencyKey,
    },
    body: asked.body,
    timeoutMs,
  });
  const text = new TextDecoder().decode(reply.body);
  const content = jsonOf(text);
  const isGood = reply.status === 200 || reply.status === 201;
  // The SDK passes on any JSON, so anything but an object is rejected here.
  if (!isGood || !z.record(z.string(), z.unknown()).safeParse(content).success) {
    throw new OtherAnswer(reply.status, content);
  }
  return text;
}

/** An answer with a status other than success. */
class OtherAnswer extends Error {
  readonly status: number;
  readonly content: unknown;

  constructor(status: number, content: unknown) {
    super(`HTTP ${status}`);
    this.status = status;
    this.content = content;
  }
}

const Refusal = z.object({
  status: z.int(),
  errorCode: z.string().min(1),
  message: z.string(),
  errorType: z.string(),
});

/** A request with the same idempotency key is or was in progress; its outcome is not known. */
const inProgress = '704';

function failureOf(error: unknown): Reply {
  if (error instanceof OutboundFailure) return { outcome: 'unknown', cause: error.message };
  if (!(error instanceof OtherAnswer)) throw error;
  const { status, content } = error;
  const refusal = Refusal.safeParse(content);
  if (!refusal.success) return { outcome: 'unknown', cause: `HTTP ${status}` };
  const { errorCode, errorType } = refusal.data;
  // A refused API key or account says nothing about an earlier request with the same idempotency key.
  const isFinal =
    (status === 400 || status === 422) &&
    refusal.data.status === status &&
    errorType === 'validation' &&
    errorCode !== inProgress;
  return isFinal
    ? { outcome: 'refused', code: errorCode }
    : {
        outcome: 'unknown',
        cause: `HTTP ${status} ${errorType} ${errorCode}`,
        isKeyRefused: status === 401 || status === 403,
      };
}
