import { userInfo } from '@pointgate/contract/accounts.ts';
import { arrivalSources } from '@pointgate/contract/arrivals.ts';
import type { Told } from './track.ts';

const hourMs = 3_600_000;

/**
 * How long it took until the shop had said who this is, since the player asked for the page; and how
 * long of that the question itself took.
 */
export function pageLoad(): Told {
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

export function arrival(): Told {
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
 * The site that the player came from, or `/` where there is none to be told. Not the page of it, which
 * may be about somebody; nor a name so full of digits that it may be a number of somebody's.
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
