import { log } from '../../platform/log.ts';
import type { SendResult } from './messages.ts';

/**
 * Writes down that a message did not certainly arrive. `cause` is made of codes only: the words of
 * providers repeat numbers, addresses and texts.
 */
export function notSent(
  result: Exclude<SendResult, 'sent'>,
  about: { by: string; to: string; cause: string },
): SendResult {
  const { by, to, cause } = about;
  log.warn({ by, to: masked(to), result, cause }, 'a message was not certainly sent');
  return result;
}

/** Enough of an address or a number to recognise it by, and too little to use it. */
export function masked(recipient: string): string {
  const at = recipient.lastIndexOf('@');
  if (at < 0)
    return recipient.length < 8 ? '***' : `${recipient.slice(0, 3)}***${recipient.slice(-2)}`;
  return `${recipient.slice(0, at).slice(0, 1)}***${recipient.slice(at)}`;
}

/** The code of an error, where it has one that is plainly a code; else the HTTP status. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, status, httpCode }: ProviderError = error;
  if (/^[\w.]{1,80}$/.test(String(code ?? ''))) return String(code);
  const answered = status ?? httpCode;
  return typeof answered === 'number' ? `HTTP ${answered}` : error.name;
}

type ProviderError = Error & { code?: unknown; status?: unknown; httpCode?: unknown };
