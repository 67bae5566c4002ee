import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { currentEnvironment } from '../browser/environment.ts';
import { currentLocale } from '../i18n/i18n.ts';
import { arrival, pageLoad } from './arrival-facts.ts';
import { deviceKey } from './device.ts';
import { openLogSender } from './log-sender.ts';
import { openLogSession } from './log-session.ts';
import { openPageStay } from './page-stay.ts';
import { canSign } from './signature.ts';
import { subscribe, track, trackClick } from './track.ts';

/** The calls by which the pages report a visit. */
export interface Visit {
  /** The player has navigated to this page. */
  enter(page: string): void;
  /** user/info has been answered. Only the first call is reported. */
  begin(): void;
  close(): void;
}

/** Starts tracking a visit, or logs on the console why tracking is not possible. */
export function openVisit({ gameInfo }: SiteConfig): Visit | null {
  const { cgi, gameId, customConfig } = gameInfo;
  const { loggerUrl, loggerKey, brandId } = customConfig;
  if (loggerUrl === null || loggerKey === null) return skip('The site has no logger.');
  if (!canSign()) return skip('Events cannot be signed on a page that came without TLS.');

  const session = openLogSession();
  const key = deviceKey(loggerKey);
  const sender = openLogSender({
    url: loggerUrl.startsWith('/') ? cgi + loggerUrl : loggerUrl,
    key,
    session,
    origin: () => ({ brandId, gameId, env: browserKinds(), lng: currentLocale() }),
  });
  // The previous key stays valid for a while, so nothing waits for the new key.
  if (key.kid !== loggerKey.kid) void sender.renew();

  const stay = openPageStay();
  let hasBegun = false;
  const stopListening = listen({ stay, flush: sender.flush });
  const stopHearing = subscribe(sender.tell);
  return {
    enter: stay.enter,
    begin: () => {
      if (hasBegun) return;
      hasBegun = true;
      track(pageLoad());
      if (session.isArrival()) track(arrival());
    },
    close: () => {
      stay.end();
      sender.flush();
      stopHearing();
      stopListening();
      sender.close();
    },
  };
}

/** Listens to browser events: visibility changes and clicks on buttons. */
function listen({
  stay,
  flush,
}: {
  stay: ReturnType<typeof openPageStay>;
  flush: () => void;
}): () => void {
  const hide = () => {
    stay.end();
    flush();
  };
  // On beforeunload there is time to sign and send: a browser may not wait for pagehide on a slow
  // page. The page is still visible until it is left, so a new stay begins.
  const leave = () => {
    hide();
    stay.begin();
  };
  const changeVisibility = () => {
    if (document.visibilityState === 'hidden') hide();
    else stay.begin();
  };
  document.addEventListener('visibilitychange', changeVisibility);
  window.addEventListener('beforeunload', leave);
  window.addEventListener('pagehide', hide);
  window.addEventListener('pageshow', stay.begin);
  // In the capture phase, before another handler can stop the event.
  document.addEventListener('click', noteClick, { capture: true });
  return () => {
    document.removeEventListener('visibilitychange', changeVisibility);
    window.removeEventListener('beforeunload', leave);
    window.removeEventListener('pagehide', hide);
    window.removeEventListener('pageshow', stay.begin);
    document.removeEventListener('click', noteClick, { capture: true });
  };
}

/** Reports clicks on buttons with a tracked name: `data-track="pay"`. */
function noteClick({ target }: Event): void {
  const pressed = target instanceof Element ? target.closest<HTMLElement>('[data-track]') : null;
  // Busy buttons are not disabled, so that they keep the focus, but ignore clicks.
  if (pressed === null || pressed.matches('[aria-disabled=true], [aria-busy=true]')) return;
  trackClick(pressed.dataset.track ?? '');
}

function browserKinds() {
  const { host, system } = currentEnvironment();
  return [host, system].filter((kind) => kind !== 'browser' && kind !== 'desktop');
}

let hasComplained = false;

/** Drops buffered events, because no sender will read them. */
function skip(reason: string): null {
  subscribe(() => {});
  if (!hasComplained) console.error(`Nothing is tracked. ${reason}`);
  hasComplained = true;
  return null;
}
