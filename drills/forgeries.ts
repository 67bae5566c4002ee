import { createHmac, randomUUID } from 'node:crypto';
import type { Random } from './random.ts';

/** An event in the exact bytes of the provider. */
export interface ProviderEvent {
  id: string;
  type: string;
  paymentId: string;
  text: string;
}

/** A webhook to be sent, and whether the shop should accept it. */
export interface Send {
  event: ProviderEvent;
  kind: 'genuine' | 'wrong secret' | 'changed byte' | 'body of another' | 'stale';
}

/** The body and signature of the request. */
export interface SignedWebhook {
  body: Buffer<ArrayBuffer>;
  signature: string;
}

// The shop accepts signatures of the last five minutes.
const staleAfterSeconds = 301;
const day = 24 * 60 * 60;

/** Signs like the provider, or incorrectly in the way of the given kind. */
export function signWebhook(
  { event, kind }: Send,
  { secret, others, random }: { secret: string; others: readonly ProviderEvent[]; random: Random },
): SignedWebhook {
  const now = Math.floor(Date.now() / 1000);
  switch (kind) {
    case 'genuine':
      return { body: Buffer.from(event.text), signature: sign(event.text, secret, now) };
    case 'wrong secret':
      return { body: Buffer.from(event.text), signature: sign(event.text, `${secret}x`, now) };
    case 'changed byte':
      return {
        body: withAnotherByte(event.text, random),
        signature: sign(event.text, secret, now),
      };
    case 'body of another': {
      const other = random.pick(others.filter(({ id }) => id !== event.id));
      return { body: Buffer.from(event.text), signature: sign(other.text, secret, now) };
    }
    case 'stale': {
      const age = staleAfterSeconds + random.below(day);
      return { body: Buffer.from(event.text), signature: sign(event.text, secret, now - age) };
    }
  }
}

function sign(text: string, secret: string, seconds: number): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** Replaces a random byte with another value; most results are no longer valid JSON. */
function withAnotherByte(text: string, random: Random): Buffer<ArrayBuffer> {
  const body = Buffer.from(text);
  const at = random.below(body.length);
  body[at] = (body.readUInt8(at) + 1 + random.below(255)) % 256;
  return body;
}

/** The event of a paid order, rewritten to name an order that nobody paid. */
export function invented(
  event: ProviderEvent,
  { of, as }: { of: PaymentNames; as: PaymentNames },
): ProviderEvent {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const text = event.text
    .replaceAll(event.id, id)
    .replaceAll(of.paymentId, as.paymentId)
    .replaceAll(of.sessionId, as.sessionId);
  return { id, type: event.type, paymentId: as.paymentId, text };
}

export interface PaymentNames {
  paymentId: string;
  sessionId: string;
}
