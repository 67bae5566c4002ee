import { userInfo } from '@pointgate/contract/accounts.ts';
import { arrivalSources } from '@pointgate/contract/arrivals.ts';
import type { EventInput } from './track.ts';

const hourMs = 3_600_000;

/**
 * The time from the navigation to the response of user/info, and the duration of that request.
 */
export function pageLoad(): EventInput {
  const question = performance
    .getEntriesByType('resource')
    .findLast(({ name }) => name.endsWith(userInfo.path));
  const loadedAt = question === undefined ? performance.now() : endOf(question);
  return {
    n: 'web_payment_page_load',
    p: {
      loading_request_time: inWholeMs(question?.duration ?? loadedAt),
      loading_time: inWholeMs(loadedAt),
    },
  };
}

export function arrival(): EventInput {
  const from = new URLSearchParams(window.location.search).get('from');
  return {
    n: 'web_payment_user_info',
    p: {
      traffic_source: arrivalSources.find((source) => source === from) ?? 'unknown',
      link: linkOf(document.referrer),
    },
  };
}

/**
 * The origin of the referrer, or `/`. Personal data is left out: the path of the referrer, and host
 * names with so many digits that they may contain a phone number.
 */
function linkOf(referrer: string): string {
  const [origin = ''] = /^https?:\/\/[a-z\d.:-]{1,200}(?=\/)/.exec(referrer) ?? [];
  const isNumber = origin.replace(/\D/g, '').length > 7;
  return isNumber ? '/' : `${origin}/`;
}

function endOf({ startTime, duration }: PerformanceEntry): number {
  return startTime + duration;
}

function inWholeMs(ms: number): number {
  return Math.min(Math.round(ms), hourMs);
}
