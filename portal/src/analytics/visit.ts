import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { currentLocale } from '../i18n/i18n.ts';
import { currentEnvironment } from '../session/environment.ts';
import { arrival, pageLoad } from './arrival-facts.ts';
import { deviceKey } from './device.ts';
import { openLogSender } from './log-sender.ts';
import { openLogSession } from './log-session.ts';
import { openPageStay } from './page-stay.ts';
import { canSign } from './signature.ts';
import { hear, track, trackClick } from './track.ts';

/** What the pages have to say to be followed. */
export interface Visit {
  /** The player has come to this page. */
  enter(page: string): void;
  /** The shop has said who this is. Told once, however often it is said. */
  begin(): void;
  close(): void;
}

/** Follows a visit, or says on the console why it cannot. */
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
  // The one before still counts for a while, so nothing waits for the new one.
  if (key.kid !== loggerKey.kid) void sender.renew();

  const stay = openPageStay();
  let hasBegun = false;
  const stopListening = listen({ stay, flush: sender.flush });
  const stopHearing = hear(sender.tell);
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

/** To the browser's own events: pages that are hidden and shown, and buttons that are pressed. */
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
  // Before the next page is asked for, while there is time: a browser that has it may not wait for a slow
  // page to hear that it is hidden. Until then this one is still looked at.
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
  // Before anything can stop it on its way down.
  document.addEventListener('click', noteClick, { capture: true });
  return () => {
    document.removeEventListener('visibilitychange', changeVisibility);
    window.removeEventListener('beforeunload', leave);
    window.removeEventListener('pagehide', hide);
    window.removeEventListener('pageshow', stay.begin);
    document.removeEventListener('click', noteClick, { capture: true });
  };
}

/** Buttons that are worth a count carry their name: `data-track="pay"`. */
function noteClick({ target }: Event): void {
  const pressed = target instanceof Element ? target.closest<HTMLElement>('[data-track]') : null;
  // Busy ones are not disabled, so that they keep the focus, but take no clicks.
  if (pressed === null || pressed.matches('[aria-disabled=true], [aria-busy=true]')) return;
  trackClick(pressed.dataset.track ?? '');
}

function browserKinds() {
  const { host, system } = currentEnvironment();
  return [host, system].filter((kind) => kind !== 'browser' && kind !== 'desktop');
}

let hasComplained = false;

/** Nobody listens, so nothing is kept to be told. */
function skip(reason: string): null {
  hear(() => {});
  if (!hasComplained) console.error(`Nothing is tracked. ${reason}`);
  hasComplained = true;
  return null;
}
