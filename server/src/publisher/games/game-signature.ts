import { createHmac, timingSafeEqual } from 'node:crypto';

/** The allowed clock difference between a game and the shop, in either direction. */
export const signatureWindowSeconds = 300;

/** `t=<seconds>,v1=<hex>` over the body, used in both directions between shop and game. */
export function signatureOf(secret: string, body: string, nowMs: number = Date.now()): string {
  const t = Math.floor(nowMs / 1000);
  return `t=${t},v1=${digestOf(secret, t, body).toString('hex')}`;
}

/**
 * The time at which the body was signed with one of the secrets; `undefined` if the signature is wrong or too
 * old. A sender that rotates its secret may send several v1 values; one valid value is enough.
 */
export function signedAt(
  header: string,
  { body, secrets, nowMs }: { body: Uint8Array; secrets: readonly string[]; nowMs: number },
): number | undefined {
  const pairs = header.split(',').map((part) => part.trim().split('=', 2));
  const times = pairs.filter(([key]) => key === 't').map(([, value]) => value ?? '');
  const [time = ''] = times;
  if (times.length !== 1 || !/^[1-9]\d{0,11}$/.test(time)) return undefined;
  const t = Number(time);
  if (Math.abs(Math.floor(nowMs / 1000) - t) > signatureWindowSeconds) return undefined;

  const sent = pairs.filter(([key]) => key === 'v1').map(([, value]) => value ?? '');
  const isSigned = secrets.some((secret) => {
    const expected = digestOf(secret, t, body);
    return sent.some(
      (hex) => /^[\da-f]{64}$/.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), expected),
    );
  });
  return isSigned ? t : undefined;
}

function digestOf(secret: string, t: number, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest();
}
