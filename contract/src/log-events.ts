import * as z from 'zod/mini';
import { loginMethods } from './accounts.ts';
import { KeyId, pageStayMsMin, RandomId } from './analytics.ts';
import { arrivalSources } from './arrivals.ts';
import { Locale } from './locales.ts';
import { Slug } from './names.ts';

// The events that a browser sends about its use. They name pages, buttons and outcomes, never a
// person: no field allows free text, so that none can contain a token, address or name.

/**
 * The request body, as JSON under `text/plain` or `application/json`; the response is an empty 204.
 */
export const LogEnvelope = z.strictObject({
  kid: KeyId,
  /** HMAC-SHA256 of `signedText` with the device's key, in hexadecimal digits. */
  sig: z.string().check(z.regex(/^[\da-f]{64}$/)),
  /** A batch as JSON text, because a signature covers bytes and not values. */
  body: z.string(),
});

/** The size of the batch as UTF-8 text. */
export const batchBytesMax = 16 * 1024;
const batchEventsMax = 100;
/** Older events are dropped. */
export const eventHoursMax = 24;

const browserKinds = ['webview', 'wechat', 'ios', 'android'] as const;

/** A batch without its events, each of which is validated separately. */
export const LogBatch = z.strictObject({
  v: z.literal(1),
  kid: KeyId,
  brandId: Slug,
  gameId: z.nullable(Slug),
  did: RandomId,
  sid: RandomId,
  /** The number of the batch within its session. */
  seq: z.int().check(z.nonnegative(), z.maximum(1_000_000)),
  /** The browser's clock in milliseconds, and the offset from it to the server's clock. */
  sent_at: z.int().check(z.nonnegative()),
  offset_ms: z.nullable(z.int()),
  env: z.array(z.enum(browserKinds)).check(z.maxLength(browserKinds.length)),
  lng: Locale,
  events: z.array(z.unknown()).check(z.minLength(1), z.maxLength(batchEventsMax)),
});
export type LogBatch = z.output<typeof LogBatch>;

/** A path of the portal without query and fragment. */
const Page = z.string().check(z.regex(/^\/[\w./-]*$/), z.maxLength(128));
const Name = z.string().check(z.regex(/^[a-z][a-z\d_.-]*$/), z.maxLength(64));
const Milliseconds = z.number().check(z.nonnegative(), z.maximum(3_600_000));

/** The parameters of each event, by event name. */
export const eventParams = {
  web_payment_page_load: z.strictObject({
    loading_request_time: Milliseconds,
    loading_time: Milliseconds,
  }),
  web_payment_page_stay: z.strictObject({
    page: Page,
    page_duration: z.int().check(z.gt(pageStayMsMin), z.maximum(86_400_000)),
  }),
  web_payment_user_info: z.strictObject({
    traffic_source: z.enum(arrivalSources),
    /** Where the player came from, without query and fragment. */
    link: z.string().check(z.regex(/^(https?:\/\/[\w.:-]+)?\/[\w./-]*$/), z.maxLength(256)),
  }),
  web_payment_login_result: z.strictObject({
    page: Page,
    type: z.enum([...loginMethods, 'PASSKEY', 'ARRIVAL']),
    region: z.string().check(z.regex(/^[A-Za-z-]{0,16}$/)),
    /** `success`, or the code of the refusal. */
    result: z.string().check(z.regex(/^[A-Za-z]{1,40}$/)),
  }),
  web_payment_show_pop: z.strictObject({ page: Page, pop: Name }),
  web_payment_click_button: z.strictObject({ page: Page, button: Name }),
} as const;
export type EventName = keyof typeof eventParams;

const eventFrame = {
  id: RandomId,
  /** The index of the event in its session. */
  i: z.int().check(z.nonnegative(), z.maximum(1_000_000)),
  /** When it happened by the server's clock, in UTC, as in `2026-11-15 09:30:00`. */
  t: z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)),
};

const eventOf = <const Known extends EventName>(name: Known) =>
  z.strictObject({ ...eventFrame, n: z.literal(name), p: eventParams[name] });

export const LogEvent = z.discriminatedUnion('n', [
  eventOf('web_payment_page_load'),
  eventOf('web_payment_page_stay'),
  eventOf('web_payment_user_info'),
  eventOf('web_payment_login_result'),
  eventOf('web_payment_show_pop'),
  eventOf('web_payment_click_button'),
]);
export type LogEvent = z.output<typeof LogEvent>;
