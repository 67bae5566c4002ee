import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

// What a browser has to know to tell of a visit. What it may tell is in `log-events.ts`, which no browser
// loads: it is the collector that judges.

/** Where events are sent to, unless a site has a logger elsewhere. */
export const collectPath = '/api/log/collect';

/** An id that the browser made at random; UUIDv7 is kindest to the index of the server. */
export const RandomId = z.string().check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/));
export const KeyId = z.string().check(z.regex(/^[\w-]{1,32}$/));

/**
 * What a device signs its events with. It shows that events were not made up in passing and not
 * changed on their way; it proves nobody's identity, for everybody can ask for one.
 */
export const LoggerKey = z.strictObject({
  kid: KeyId,
  /** The device it is for. The page comes with a new one, for a browser that has none yet. */
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

/** A shorter stay is passing through. */
export const pageStayMsMin = 2_000;
