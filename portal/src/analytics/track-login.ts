import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { ApiError } from '../api/api-error.ts';
import { currentPage } from './pages.ts';
import { track } from './track.ts';

type LoginType = Extract<LogEvent, { n: 'web_payment_login_result' }>['p']['type'];

/** How a try to sign in ended: well, with an error, or with a word for it. */
export function trackLogin(type: LoginType, outcome: 'success' | Error | (string & {})): void {
  const result = outcome instanceof Error ? codeOf(outcome) : outcome;
  track({
    n: 'web_payment_login_result',
    p: { page: currentPage(), type, region: currentRegion(), result },
  });
}

/** Codes and names of errors are words of ours and of the browser; messages may quote the player. */
function codeOf(error: Error): string {
  const code = error instanceof ApiError ? String(error.code) : error.name;
  return /^[A-Za-z]{1,40}$/.test(code) ? code : 'Unexplained';
}

/** Of the language that the browser is set to, such as `DE`; empty where it does not say. */
function currentRegion(): string {
  return /[-_]([A-Z]{2})\b/.exec(navigator.language)?.[1] ?? '';
}
