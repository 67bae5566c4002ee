/**
 * `taken`: accepted, no retry. `refused`: a retry would be refused, too. `unknown-key`: the signing
 * key has expired. `lost`: a retry may succeed.
 */
export type Outcome = 'taken' | 'refused' | 'unknown-key' | 'lost';

const timeoutMs = 30_000;

/** Sends a batch and returns the outcome; `keepalive` lets the request outlive the page. */
export async function post(url: string, text: string): Promise<Outcome> {
  const isHere = new URL(url, window.location.href).origin === window.location.origin;
  const response = await fetch(url, {
    method: 'POST',
    // Plain text needs no CORS preflight for another origin, and no session cookie is sent.
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    mode: isHere ? 'same-origin' : 'no-cors',
    credentials: 'omit',
    keepalive: true,
    signal: AbortSignal.timeout(timeoutMs),
    body: text,
  });
  // A no-cors response is opaque: it only shows that the request arrived.
  if (response.ok || response.type === 'opaque') return 'taken';
  if (response.status === 401) return 'unknown-key';
  return response.status === 429 || response.status >= 500 ? 'lost' : 'refused';
}

/** Sends a batch with sendBeacon, which outlives the page but reports no result. */
export async function beacon(url: string, text: string): Promise<Outcome> {
  return navigator.sendBeacon(url, text) ? 'taken' : 'lost';
}
