import { createHmac, timingSafeEqual } from 'node:crypto';

/** The allowed clock skew between sender and receiver, in either direction. */
const windowSeconds = 300;

/**
 * Whether `t=<seconds>,v1=<hex>` signs exactly this body with one of the live secrets. During a
 * secret rotation a sender may send several v1 signatures, of which one must be valid.
 */
export function isSigned(input: {
  header: string | undefined;
  body: string;
  secrets: readonly string[];
  nowSeconds: number;
}): boolean {
  const { header, body, secrets, nowSeconds } = input;
  const pairs = (header ?? '').split(',').map((part) => part.trim().split('=', 2));
  const times = pairs.filter(([key]) => key === 't').map(([, value]) => value ?? '');
  const [time = ''] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(nowSeconds - Number(time)) > windowSeconds) return false;

  const sent = pairs.filter(([key]) => key === 'v1').map(([, value]) => value ?? '');
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
    return sent.some((signature) => isSame(signature, expected));
  });
}

function isSame(signature: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}
