import { log } from '../../platform/log.ts';
import type { SendResult } from './message.ts';

/**
 * Logs that a message may not have been sent. `cause` holds codes only, because provider error
 * texts repeat phone numbers, addresses and contents.
 */
export function notSent(
  result: Exclude<SendResult, 'sent'>,
  about: { by: string; to: string; cause: string },
): SendResult {
  const { by, to, cause } = about;
  log.warn({ by, to: masked(to), result, cause }, 'a message may not have been sent');
  return result;
}

/** Keeps enough of an address or number to recognise it, but too little to use it. */
export function masked(recipient: string): string {
  const at = recipient.lastIndexOf('@');
  if (at < 0)
    return recipient.length < 8 ? '***' : `${recipient.slice(0, 3)}***${recipient.slice(-2)}`;
  return `${recipient.slice(0, at).slice(0, 1)}***${recipient.slice(at)}`;
}

/** The error code if it has the format of a code, otherwise the HTTP status. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, status, httpCode }: ProviderError = error;
  if (/^[\w.]{1,80}$/.test(String(code ?? ''))) return String(code);
  const answered = status ?? httpCode;
  return typeof answered === 'number' ? `HTTP ${answered}` : error.name;
}

type ProviderError = Error & { code?: unknown; status?: unknown; httpCode?: unknown };
