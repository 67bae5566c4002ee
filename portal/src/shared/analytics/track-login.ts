import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { ApiError } from '../api/api-error.ts';
import { currentPage } from './pages.ts';
import { track } from './track.ts';

type LoginType = Extract<LogEvent, { n: 'web_payment_login_result' }>['p']['type'];

/** Reports the result of a sign-in: success, an error, or an error code. */
export function trackLogin(type: LoginType, outcome: 'success' | Error | (string & {})): void {
  const result = outcome instanceof Error ? codeOf(outcome) : outcome;
  track({
    n: 'web_payment_login_result',
    p: { page: currentPage(), type, region: currentRegion(), result },
  });
}

/** Reports only error codes and names, because messages may contain personal data. */
function codeOf(error: Error): string {
  const code = error instanceof ApiError ? String(error.code) : error.name;
  return /^[A-Za-z]{1,40}$/.test(code) ? code : 'Unexplained';
}

/** The region of the browser language, such as `DE`; empty if the language has none. */
function currentRegion(): string {
  return /[-_]([A-Z]{2})\b/.exec(navigator.language)?.[1] ?? '';
}
