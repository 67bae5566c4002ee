import { createVerify, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';

export const signedHeaders = [
  'paypal-auth-algo',
  'paypal-cert-url',
  'paypal-transmission-id',
  'paypal-transmission-sig',
  'paypal-transmission-time',
] as const;

/** The headers that a signature needs. */
export const Headers = z.object({
  'paypal-auth-algo': z.literal('SHA256withRSA'),
  'paypal-cert-url': z.string().max(300),
  'paypal-transmission-id': z.string().regex(/^[A-Za-z0-9-]{8,64}$/),
  'paypal-transmission-sig': z.string().regex(/^[A-Za-z0-9+/]{300,800}={0,2}$/),
  'paypal-transmission-time': z.iso.datetime(),
});
export type Headers = z.output<typeof Headers>;

/** The signature covers our webhook id, so a webhook sent to another merchant does not verify. */
export function isSigned(input: {
  key: KeyObject;
  headers: Headers;
  webhookId: string;
  body: Buffer;
}): boolean {
  const { key, headers, webhookId, body } = input;
  const signed = [
    headers['paypal-transmission-id'],
    headers['paypal-transmission-time'],
    webhookId,
    crc32(body),
  ].join('|');
  return createVerify('RSA-SHA256')
    .update(signed)
    .verify(key, headers['paypal-transmission-sig'], 'base64');
}
