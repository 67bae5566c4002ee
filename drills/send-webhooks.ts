import { type ProviderEvent, type Send, signWebhook } from './forgeries.ts';
import { inParallel } from './in-parallel.ts';
import type { Random } from './random.ts';

/** A webhook that was sent, and the response of the shop. */
export interface Sent extends Send {
  signature: string;
  status: number;
  ms: number;
}

const atOnce = 32;

/** Sends all webhooks to random apis, many at a time. */
export async function sendWebhooks(
  sends: readonly Send[],
  input: {
    apis: readonly string[];
    secret: string;
    others: readonly ProviderEvent[];
    random: Random;
    onProgress: (sent: number) => void;
  },
): Promise<Sent[]> {
  let count = 0;
  return await inParallel(sends, atOnce, async (send) => {
    const { body, signature } = signWebhook(send, input);
    const begun = performance.now();
    const response = await fetch(`${input.random.pick(input.apis)}/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature,
      },
      body,
    });
    await response.arrayBuffer();
    count += 1;
    if (count % 5_000 === 0) input.onProgress(count);
    return { ...send, signature, status: response.status, ms: performance.now() - begun };
  });
}

/** Median, 99th percentile and maximum of the response times, in milliseconds. */
export function latencyOf(sent: readonly Sent[]): { p50: number; p99: number; max: number } {
  const sorted = sent.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
