/**
 * `taken`: need not be sent again. `refused`: would be refused again. `unknown-key`: the key is not
 * one of the shop's any more. `lost`: may be taken another time.
 */
export type Outcome = 'taken' | 'refused' | 'unknown-key' | 'lost';

const timeoutMs = 30_000;

/** Sends it and hears how that went, even if the page is left meanwhile. */
export async function post(url: string, text: string): Promise<Outcome> {
  const isHere = new URL(url, window.location.href).origin === window.location.origin;
  const response = await fetch(url, {
    method: 'POST',
    // Plain text, which needs no leave to be sent to another origin. It belongs to no session.
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    mode: isHere ? 'same-origin' : 'no-cors',
    credentials: 'omit',
    keepalive: true,
    signal: AbortSignal.timeout(timeoutMs),
    body: text,
  });
  // Of another origin nothing is told but that it has come there.
  if (response.ok || response.type === 'opaque') return 'taken';
  if (response.status === 401) return 'unknown-key';
  return response.status === 429 || response.status >= 500 ? 'lost' : 'refused';
}

/** Hands it to the browser, which sends it when the page is gone. Nobody hears how that went. */
export async function beacon(url: string, text: string): Promise<Outcome> {
  return navigator.sendBeacon(url, text) ? 'taken' : 'lost';
}
