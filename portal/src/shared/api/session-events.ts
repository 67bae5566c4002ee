/**
 * `expired`: the session has ended. `expired-confirm`: the player has confirmed the dialog about
 * it. Events instead of a callback, because the API client does not depend on any page.
 */
type SessionEvent = 'expired' | 'expired-confirm';
type Listener = () => void;

const listeners: Record<SessionEvent, Set<Listener>> = {
  expired: new Set(),
  'expired-confirm': new Set(),
};
let isExpiredUnheard = false;

export function emitSessionEvent(name: SessionEvent): void {
  // The first response of a visit may arrive before the dialog is mounted.
  if (name === 'expired' && listeners.expired.size === 0) isExpiredUnheard = true;
  for (const listener of listeners[name]) listener();
}

/** Returns the function that unsubscribes. Delivers an `expired` emitted before any listener. */
export function onSessionEvent(name: SessionEvent, listener: Listener): () => void {
  listeners[name].add(listener);
  if (name === 'expired' && isExpiredUnheard) {
    isExpiredUnheard = false;
    listener();
  }
  return () => void listeners[name].delete(listener);
}
