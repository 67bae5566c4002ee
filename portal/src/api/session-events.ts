/**
 * `expired`: the server no longer knows this session. `expired-confirm`: the player has read so.
 * Events and not a callback, because the client that meets the end of a session knows no page.
 */
type SessionEvent = 'expired' | 'expired-confirm';
type Listener = () => void;

const listeners: Record<SessionEvent, Set<Listener>> = {
  expired: new Set(),
  'expired-confirm': new Set(),
};
let isExpiredUnheard = false;

export function emitSessionEvent(name: SessionEvent): void {
  // The first call of a visit may be answered before the page that would say so is there.
  if (name === 'expired' && listeners.expired.size === 0) isExpiredUnheard = true;
  for (const listener of listeners[name]) listener();
}

/** Returns the way to stop listening. An `expired` that nobody heard is heard now. */
export function onSessionEvent(name: SessionEvent, listener: Listener): () => void {
  listeners[name].add(listener);
  if (name === 'expired' && isExpiredUnheard) {
    isExpiredUnheard = false;
    listener();
  }
  return () => void listeners[name].delete(listener);
}
