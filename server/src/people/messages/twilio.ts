import twilio from 'twilio';
import { codeOf, notSent } from './outcome.ts';
import type { FreeText, Sms } from './sms.ts';

export interface TwilioOptions {
  accountSid: string;
  authToken: string;
  /** The sender number or name. */
  from: string;
  /** Overrides Twilio's base URL, for the sandbox. */
  base?: string | undefined;
  timeoutMs?: number | undefined;
}

/** Twilio's error codes for an invalid, unsubscribed or non-mobile number. */
const wrongRecipient = new Set(['21211', '21217', '21610', '21614']);

export function openTwilio(options: TwilioOptions): Sms<FreeText> {
  const { accountSid, authToken, from, timeoutMs = 10_000 } = options;
  const client = twilio(accountSid, authToken, {
    httpClient: httpClientFor(options.base, timeoutMs),
    // Otherwise the client reads settings from the environment.
    env: {},
  });
  const failed = (to: string, code: string) =>
    notSent(wrongRecipient.has(code) ? 'refused' : 'unknown', { by: 'twilio', to, cause: code });
  return {
    send: async ({ to, text }) => {
      try {
        const { status, errorCode } = await client.messages.create({ to, from, body: text });
        const isOver = status === 'failed' || status === 'undelivered' || status === 'canceled';
        return isOver ? failed(to, String(errorCode ?? status)) : 'sent';
      } catch (error) {
        return failed(to, codeOf(error));
      }
    },
  };
}

function httpClientFor(base: string | undefined, timeout: number) {
  const client = new twilio.RequestClient({ timeout });
  if (base === undefined) return client;
  const request = client.request.bind(client);
  client.request = (asked) => {
    const { pathname, search } = new URL(asked.uri);
    return request({ ...asked, uri: new URL(pathname + search, base).href });
  };
  return client;
}
