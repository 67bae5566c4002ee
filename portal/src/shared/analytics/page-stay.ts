import { pageStayMsMin } from '@pointgate/contract/analytics.ts';
import { track } from './track.ts';

// Stays of more than a day are dropped: the clock runs on while a machine sleeps.
const stayMsMax = 86_400_000;

/**
 * Measures how long a page is visible without a break. Hiding the page ends a stay, because a
 * hidden page may never return and the stay would be lost; showing it again starts a new stay.
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
    /** Ends the current stay and starts one on this page. */
    enter: (next: string) => {
      end();
      page = next;
      begin();
    },
  };
}
