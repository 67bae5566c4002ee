import { createSign } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The signature headers for exactly these bytes. */
export function signatureHeaders(input: {
  transmissionId: string;
  time: Date;
  webhookId: string;
  payload: string;
  key: string;
  certificateUrl: string;
}): Record<string, string> {
  const time = `${input.time.toISOString().slice(0, 19)}Z`;
  const signed = [input.transmissionId, time, input.webhookId, crc32(input.payload)].join('|');
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'paypal-cert-url': input.certificateUrl,
    'paypal-transmission-id': input.transmissionId,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('sha256').update(signed).sign(input.key, 'base64'),
  };
}

/** Changes one digit of the first amount: still valid JSON, and what a forger would change. */
export function tampered(payload: string): string {
  return payload.replace(/("value":")(\d)/, (_match, before: string, digit: string) => {
    return before + (digit === '9' ? '8' : String(Number(digit) + 1));
  });
}
