import { EnvironmentEnum } from '@adyen/api-library/lib/src/config.js';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import type { AdyenOptions } from './options.ts';
import { AdyenClient, CheckoutApi } from './sdk.ts';

export const timeoutMs = 12_000;

/**
 * `refused` was spelled out by Adyen itself about what we asked for, and repeating it would be answered
 * alike. All else is `unknown`: it may have happened.
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

/** The SDK's requests leave through the same door as all others, with its limits. */
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
  // What is not an object the SDK would hand on as if it were one.
  if (!isGood || !z.record(z.string(), z.unknown()).safeParse(content).success) {
    throw new OtherAnswer(reply.status, content);
  }
  return text;
}

/** Any answer but success. */
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

/** Another request with the same key is at work, or was, and nobody says with what end. */
const inProgress = '704';

function failureOf(error: unknown): Reply {
  if (error instanceof OutboundFailure) return { outcome: 'unknown', cause: error.message };
  if (!(error instanceof OtherAnswer)) throw error;
  const { status, content } = error;
  const refusal = Refusal.safeParse(content);
  if (!refusal.success) return { outcome: 'unknown', cause: `HTTP ${status}` };
  const { errorCode, errorType } = refusal.data;
  // What is wrong with our key or account says nothing of an earlier request with the same id.
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

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
