import { useSyncExternalStore } from 'react';

// A player who comes from a game has a ticket or a token in the address. The script at the top of
// index.html takes it out of there before anything else can read, keep or send it, and leaves it
// here: in memory only, and only until the server has answered.

declare global {
  interface Window {
    pointgateTicket?: string;
  }
}

const listeners = new Set<() => void>();
let isRefused = false;

/** The ticket or token the player came with, once. */
export function takeTicket(): string | null {
  const { pointgateTicket = null } = window;
  delete window.pointgateTicket;
  return pointgateTicket;
}

/** For a call that found nobody: the next one brings it again. */
export function putTicketBack(ticket: string): void {
  window.pointgateTicket = ticket;
}

/** What `user/info` sends along. Headers carry plain text only, and addresses anything at all. */
export function ticketHeaders(ticket: string): Record<string, string> {
  const from = new URLSearchParams(window.location.search).get('from') ?? '';
  return {
    'x-token': /^[\w.-]{1,4096}$/.test(ticket) ? ticket : 'illegible',
    'x-from': /^[\w.-]{1,32}$/.test(from) ? from : 'unknown',
  };
}

/** The player is told, and goes on as a visitor. */
export function setTicketRefused(value: boolean): void {
  isRefused = value;
  for (const listener of listeners) listener();
}

export function useIsTicketRefused(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => isRefused,
  );
}
