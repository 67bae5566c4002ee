import { pageStayMsMin } from '@pointgate/contract/analytics.ts';
import { track } from './track.ts';

// A day, which is more than anybody reads; a machine that slept has counted on.
const stayMsMax = 86_400_000;

/**
 * Measures how long a page is looked at, without a break. Hiding it ends a stay, because a hidden
 * page may never come back and would never be told of; coming back begins another one.
 */
export function openPageStay() {
  let page: string | null = null;
  let since: number | null = null;

  const end = () => {
    if (page === null || since === null) return;
    const page_duration = Math.floor(performance.now() - since);
    since = null;
    if (page_duration <= pageStayMsMin || page_duration > stayMsMax) return;
    track({ n: 'web_payment_page_stay', p: { page, page_duration } });
  };
  const begin = () => {
    const isSeen = page !== null && document.visibilityState === 'visible';
    if (isSeen) since ??= performance.now();
  };
  return {
    begin,
    end,
    /** The player has gone on to this page. */
    enter: (next: string) => {
      end();
      page = next;
      begin();
    },
  };
}
