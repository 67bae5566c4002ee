import { createHmac, randomUUID } from 'node:crypto';
import type { Random } from './random.ts';

/** An event as the provider has it, byte for byte as it sends it. */
export interface ProviderEvent {
  id: string;
  type: string;
  paymentId: string;
  text: string;
}

/** One webhook to be sent, and whether the shop may believe it. */
export interface Send {
  event: ProviderEvent;
  kind: 'genuine' | 'wrong secret' | 'changed byte' | 'body of another' | 'stale';
}

/** What goes over the wire. */
export interface Letter {
  body: Buffer<ArrayBuffer>;
  signature: string;
}

// The shop takes what was signed in the last five minutes.
const staleAfterSeconds = 301;
const day = 24 * 60 * 60;

/** Signs as the provider does it, or wrong in one way. */
export function letterOf(
  { event, kind }: Send,
  { secret, others, random }: { secret: string; others: readonly ProviderEvent[]; random: Random },
): Letter {
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

/** Any byte, any other value: most of the results are not even JSON any more. */
function withAnotherByte(text: string, random: Random): Buffer<ArrayBuffer> {
  const body = Buffer.from(text);
  const at = random.below(body.length);
  body[at] = (body.readUInt8(at) + 1 + random.below(255)) % 256;
  return body;
}

/** The event of a paid order, rewritten to say the same of an order that nobody paid. */
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
