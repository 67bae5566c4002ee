import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

// What a browser needs to send events. The allowed events are in `log-events.ts`, which browsers do
// not load: the collector validates them.

/** The path that receives events, unless a site has a logger elsewhere. */
export const collectPath = '/api/log/collect';

/** A random id made by the browser; UUIDv7 suits the index of the server best. */
export const RandomId = z.string().check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/));
export const KeyId = z.string().check(z.regex(/^[\w-]{1,32}$/));

/**
 * The key with which a device signs its events. It protects events from casual forgery and from
 * changes in transit; it proves no identity, because anybody can request a key.
 */
export const LoggerKey = z.strictObject({
  kid: KeyId,
  /** The device that the key is for. The page comes with a new id, for a browser that has none. */
  did: RandomId,
  /** 32 bytes in hexadecimal digits. */
  key: z.string().check(z.regex(/^[\da-f]{64}$/)),
});
export type LoggerKey = z.output<typeof LoggerKey>;

export const renewLoggerKey = endpoint({
  method: 'POST',
  path: '/api/log/key',
  summary: 'A new key for a device that has one already, after the keys of the shop have changed',
  access: 'public',
  body: z.strictObject({ did: RandomId }),
  reply: LoggerKey,
  refusals: ['ForeignOrigin', 'NotFound'],
});

export function signedText({
  kid,
  sentAt,
  body,
}: {
  kid: string;
  sentAt: number;
  body: string;
}): string {
  return `v1\n${kid}\n${sentAt}\n${body}`;
}

/** Shorter stays on a page are not counted. */
export const pageStayMsMin = 2_000;
